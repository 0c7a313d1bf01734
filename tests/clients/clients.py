"""All clients by name."""

from __future__ import annotations

from tests.clients.libraries import LIBRARIES
from tests.clients.programs import PROGRAMS

CLIENTS = {client.name: client for client in (*PROGRAMS, *LIBRARIES)}
