"""The compiled core of the machine; everything else about the package is in pyproject.toml."""

from setuptools import Extension, setup

# Optional: without a C compiler the package installs all the same, and the core in Python does its work.
CORE = Extension("reckoner.machine._core", ["src/reckoner/machine/_core.c"], optional=True)

setup(ext_modules=[CORE])
