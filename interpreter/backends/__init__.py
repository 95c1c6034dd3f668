"""From the intermediate representation to code that runs: one module for each target."""
