"""Pages whose content is changed at random behind a click, to judge what Boathook reports about it."""
