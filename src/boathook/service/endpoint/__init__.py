"""A CDP endpoint beside a tab: lets another program speak to the browser that we speak to, about one context only."""
