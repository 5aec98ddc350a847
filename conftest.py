"""The plugin that tests the examples; pytest finds it by itself only where it is installed."""

pytest_plugins = ("scorekeeper.testing.plugin",)
