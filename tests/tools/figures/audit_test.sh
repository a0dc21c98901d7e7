#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Recomputes figures by other means: audit_test.sh FROND [options of audit.py]
set -uo pipefail
python=/usr/bin/python3
"$python" -c 'import scipy.sparse' 2>/dev/null || { echo 'SKIPPED: python3-scipy is not installed'; exit 77; }
exec "$python" "$(dirname "$0")/audit.py" "$@"
