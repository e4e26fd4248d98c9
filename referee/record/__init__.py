"""The game record: JSON lines that can be checked with nothing but themselves (PROTOCOL.md, 5).

``lines`` are its lines and how they are written, ``verify`` recomputes a record, ``result`` is
what standings keep of it. The invariant: times, ``started`` and ``sha256`` apart, the same
answers give the same bytes.
"""
