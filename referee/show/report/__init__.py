"""A run as a folder of pages that open from the disk, without a server and without a network.

``figures`` has what the pages say of a run that its standings do not, ``questions`` what a bot
had been asked when it was at fault, ``replays`` a game as the browser replays it, ``packing`` all
of them, ``charts`` the drawings, ``pages`` the pages and ``folder`` what stands where. The scripts
in ``static`` draw and sort; they know no rules. All text reaches a page as text: through Jinja's
autoescaping here, as ``textContent`` there, and each page's policy lets no script run but the
folder's own.
"""

from referee.show.report.folder import write_report

__all__ = ["write_report"]
