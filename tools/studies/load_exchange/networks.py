# SPDX-License-Identifier: BSD-3-Clause
"""The simulated machines of the study beyond the paper."""
from load_exchange.errors import StudyError
from load_exchange.simulations import Machine

HOST_SPEED = "5Gf"  # SimGrid's unit of flops per second; frond simulate takes 5e9 without a platform


def two_clusters(num_ranks):
    """A SimGrid platform: half of the hosts on each of two switches, and one link between these, which all share."""
    first = (num_ranks + 1) // 2
    clusters = "".join(
        f'    <cluster id="{name}" prefix="{name}" suffix="" radical="0-{size - 1}" speed="{HOST_SPEED}" bw="1.25GBps" lat="1us"'
        f' router_id="{name}-switch"/>\n' for name, size in (("a", first), ("b", max(1, num_ranks - first))))
    return f"""<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="both" routing="Full">
{clusters}    <link id="between" bandwidth="1.25GBps" latency="100us"/>
    <zoneRoute src="a" dst="b" gw_src="a-switch" gw_dst="b-switch">
      <link_ctn id="between"/>
    </zoneRoute>
  </zone>
</platform>
"""


FAST = ("--latency", "1e-6", "--bandwidth", "1e10")

MACHINES = {machine.name: machine for machine in (
    Machine("fast", "1 us, 10 GB/s", FAST),
    Machine("slow", "50 us, 0.1 GB/s", ("--latency", "5e-5", "--bandwidth", "1e8")),
    Machine("two-clusters", "two halves of 2 us and 1.25 GB/s; all that goes between them shares a link of 100 us and 1.25 GB/s",
            platform=two_clusters),
    Machine("slowed-rank", "1 us, 10 GB/s, and rank 3 takes four times as long to compute", (*FAST, "--slow", "3:4")),
)}


def machines_named(names):
    for name in names:
        if name not in MACHINES:
            raise StudyError(f"there is no machine {name}; choose from: {', '.join(MACHINES)}")
    return [MACHINES[name] for name in names]
