"""What people do on the page about the box."""

from checks import listed

ALL, check = listed()
