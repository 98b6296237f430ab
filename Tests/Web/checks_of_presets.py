"""What people do with presets."""

from checks import listed

ALL, check = listed()
