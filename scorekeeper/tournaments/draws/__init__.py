"""Draws: which entrants sit at which tables in each round. Entrants are numbers from 1 on."""
