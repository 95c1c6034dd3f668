"""Charts of a run, in Vega-Lite: each with words and figures that say the same. They need the library `altair`."""
