"""Commands that act on pages: elements, keyboard, mouse, dialogs, files, logins."""
