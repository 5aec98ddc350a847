"""The promises that every game keeps: what `games check` and the tests of an author look for."""
