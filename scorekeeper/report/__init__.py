"""From a session to its report: scores, findings, and why everything is as it is."""
