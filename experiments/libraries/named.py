"""Starts the mechanism that the command line names. The functions of a file make its mechanisms, of the same names."""

import sys

from adapter import serve


def start(functions):
    serve(functions[sys.argv[1].replace("-", "_")]())
