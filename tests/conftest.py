"""One thread per process: the networks are small, and two threads are much slower than one."""

import os
import signal

from hypothesis import HealthCheck, settings

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # read when numpy and PyTorch are imported, which is later

# A shell's background jobs ignore Ctrl-C, and so would all processes that the tests start from there.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no reason to fail: no test looks at the wall clock.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
