"""Stepping through a stored game."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.replay import read_record
from arena.store import Store
from tests.played import random_record
from tests.stored import stored

