"""Fields that are made of other elements: dates, sliders, cells of grids."""
