"""Browser providers: where the browser of a session comes from, behind one interface.

To add one, write a `BrowserProvider` in a file here and list it in `choose.py`.
"""
