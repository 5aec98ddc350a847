"""Looking back: one hand, all hands, what was checked, how it stands and who pays whom."""
