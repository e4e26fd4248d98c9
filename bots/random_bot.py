"""The smallest bot: it plays every game legally and understands none of them.

It answers each `turn` from its `decision` alone, with options drawn at random. Its choices follow
from what it is sent and the `seed` of `start`, so that a game with it can be repeated exactly.
"""

import json
import random
import sys

rng = random.Random()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready","name":"random"}', flush=True)
    elif message["type"] == "start":
        rng.seed(message["seed"])
    elif message["type"] == "turn":
        decision = message["decision"]
        options = decision["options"]
        # Bidding and doubting at every whim, it would seldom let a game end: mostly it keeps quiet.
        if decision["kind"] in ("bid", "doubt") and rng.random() < 0.8:
            options = options[: decision["min"]]
        count = rng.randint(decision["min"], min(decision["max"], len(options)))
        answer = {"id": message["id"], "choose": rng.sample(options, count)}
        print(json.dumps(answer), flush=True)
