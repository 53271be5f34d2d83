"""The compiled core of the machine; everything else about the package is in pyproject.toml."""

from glob import glob

from setuptools import Extension, setup

# Optional: without a C compiler the package installs all the same, and the core in Python does its work.
CORE = Extension(
    "reckoner.machine._core",
    sorted(glob("src/reckoner/machine/c/*.c")),
    depends=sorted(glob("src/reckoner/machine/c/*.h")),
    optional=True,
)

setup(ext_modules=[CORE])
