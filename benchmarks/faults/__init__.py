"""Faults in records: what the audit finds of them, and which corrections are suggested."""
