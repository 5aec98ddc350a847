"""Notification of clients about changes of sessions and clubs."""
