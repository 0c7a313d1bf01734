"""From a selector or ref to one element, and facts about it."""
