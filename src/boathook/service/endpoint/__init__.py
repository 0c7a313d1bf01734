"""A CDP endpoint next to a tab: lets another program talk to our browser, about one context only."""
