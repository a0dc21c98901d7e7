# SPDX-License-Identifier: BSD-3-Clause
# A bare root of Debian to try things in, for scripts that source this file after steps.sh and run as root.

# What is mounted here is mounted nowhere else, and is gone with the script, which is called again: take_own_mounts SCRIPT ARGUMENT...
take_own_mounts() {
  [ "$(id -u)" -eq 0 ] || die "making a root file system needs root: sudo $*"
  command -v debootstrap >/dev/null || die 'there is no debootstrap: apt-get install debootstrap'
  if [ -z "${FROND_HAS_OWN_MOUNTS-}" ]; then
    exec env FROND_HAS_OWN_MOUNTS=yes unshare --mount --propagation private "$@"
  fi
}

# make_root FOLDER SUITE [OPTION...]: by debootstrap, from MIRROR.
make_root() {
  local folder=$1 suite=$2
  shift 2
  if [ ! -e "$folder.is-made" ]; then
    step "debootstrap-$suite" "Making a root of Debian $suite" \
      debootstrap --variant=minbase "$@" "$suite" "$folder" "${MIRROR:-http://deb.debian.org/debian}"
    touch "$folder.is-made"
  fi
}

mount_root() {
  mount -t proc proc "$1/proc"
  mount -t sysfs sysfs "$1/sys"
  mount --bind /dev "$1/dev"
  mount --bind /dev/pts "$1/dev/pts"
  mount -t tmpfs tmpfs "$1/dev/shm"
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  # Without its own name there each start of MPI waits for a name server.
  printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$(hostname)" > "$1/etc/hosts"
}

unmount_root() {
  local mount
  for mount in dev/shm dev/pts dev sys proc; do umount "$1/$mount" 2>/dev/null || true; done
}

# inside_root ROOT FOLDER COMMAND [VARIABLE=VALUE...]: nothing of this system's environment goes along.
inside_root() {
  local folder=$1 place=$2 command=$3
  shift 3
  chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@" \
    bash -c "cd $place && $command"
}
