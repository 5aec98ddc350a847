"""What the API and the pages share: who asks, what comes, what is refused, and how often."""
