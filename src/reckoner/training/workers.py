"""Worker processes of long runs: one thread each, and never longer alive than the run itself."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor


def end_workers(executor: ProcessPoolExecutor, now: bool) -> None:
    """Wait for the workers, or stop them where they are."""
    if now:
        for process in list(executor._processes.values()):
            process.terminate()
    executor.shutdown(cancel_futures=now)


def settle_in(parent: int) -> None:
    """In a worker: one thread, no reaction to Ctrl-C (the parent ends us), and never outlive the parent."""
    import torch

    torch.set_num_threads(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
