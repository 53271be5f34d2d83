"""One thread per process: the networks are small, and two threads are much slower than one."""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # read when numpy and PyTorch are imported, which is later
