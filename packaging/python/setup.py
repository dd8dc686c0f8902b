"""Wheels carry the tool, so that each is for one platform; SEQSVM_PLATFORM names it, such as manylinux2014_x86_64."""

import os

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel


class Platform(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", os.environ.get("SEQSVM_PLATFORM", "any")


setup(cmdclass={"bdist_wheel": Platform})
