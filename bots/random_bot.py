"""The smallest bot: it plays every game legally and knows none of them.

It reads one JSON object a line and answers each `turn` with the fewest cards asked for, drawn at
random. Its choices follow from what it is sent and the `seed` of `start`, so games can be repeated.
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
        choose = rng.sample(decision["options"], decision["min"])
        # A table that doubts every other discard never ends: mostly let it pass.
        if decision["kind"] == "doubt":
            choose = [rng.random() < 0.05]
        print(json.dumps({"id": message["id"], "choose": choose}), flush=True)
    elif message["type"] == "bye":
        break
