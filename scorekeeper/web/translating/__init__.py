"""What has to be translated, and the catalogues that hold the translations."""
