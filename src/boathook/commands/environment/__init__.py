"""Commands that set what pages find: emulation, network, storage, state."""
