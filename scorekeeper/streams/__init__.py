"""One service for every kind of stream: cached state, idempotent appends, keys, capacity.

A kind of stream is a `FoldedStream`, which replays its events, and a `StreamService`, which
validates new ones and decides who may record them.
"""
