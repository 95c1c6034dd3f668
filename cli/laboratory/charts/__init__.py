"""Charts in Vega-Lite, each with the same content as text and as a table. They need the library `altair`."""
