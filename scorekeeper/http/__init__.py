"""Code that the API and the pages share: access, bodies, refusals, rate limits and headers."""
