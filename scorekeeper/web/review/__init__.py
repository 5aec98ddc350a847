"""Pages in review of a session: hands, results, payments and the audit."""
