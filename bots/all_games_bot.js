// A bot in JavaScript that plays all four games, from `view` and `decision` alone.
//
// One policy for each kind of decision, none of them longer than a page: it counts what has been
// seen, and otherwise goes by rules of thumb. It remembers nothing and rolls no dice. Node's own
// modules only.

"use strict";

const RANKS = "23456789TJQKA";
const SUITS = ["C", "D", "H", "S"];
const BLACK_MARIA = "QS";

const height = (card) => RANKS.indexOf(card[0]);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const isIn = (suit) => (card) => card[1] === suit;

/** The item for which `worth` is greatest; the first of equals. */
function best(items, worth) {
  return items.reduce((found, item) => (worth(item) > worth(found) ? item : found));
}

/** The item for which `cost` is least; the first of equals. */
function least(items, cost) {
  return best(items, (item) => -cost(item));
}

// What trick-taking games share. A trick is a list of plays, each a seat and its card.

/** Compare cards in a trick: any trump beats the suit led, and the suit led beats the rest. */
function strength(card, led, trump) {
  return height(card) + (card[1] === trump ? 26 : card[1] === led ? 13 : 0);
}

/** How many cards above this one we neither hold nor have seen. */
function unseenAbove(view, card) {
  const seen = [...view.cards, ...[...view.played, view.trick].flat().map(([, played]) => played)];
  const above = [...RANKS.slice(height(card) + 1)].map((rank) => rank + card[1]);
  return above.filter((other) => !seen.includes(other)).length;
}

/** The options that beat the trick as it stands, and those that do not. */
function split(view, options, trump) {
  if (view.trick.length === 0) return [options, []];
  const led = view.trick[0][1][1];
  const top = Math.max(...view.trick.map(([, card]) => strength(card, led, trump)));
  const wins = (card) => strength(card, led, trump) > top;
  return [options.filter(wins), options.filter((card) => !wins(card))];
}

const isLast = (view) => view.trick.length === view.scores.length - 1;

// Oh Hell

/** Bid the tricks that our cards should take. */
function bidOhHell({ view, decision }) {
  const size = view.cards.length;
  const danger = (Math.sqrt(size) * (view.bids.length - 1)) / (52 - size);
  const chance = (card) => {
    const unbeaten = Math.max(0, 1 - danger) ** unseenAbove(view, card);
    if (card[1] === view.trump) return unbeaten;
    return unbeaten * (1 - 0.9 ** size) * (view.trump ? 0.5 : 1);
  };
  const expected = sum(view.cards.map(chance));
  return [least(decision.options, (bid) => Math.abs(bid - expected))];
}

/** Win tricks until the bid is reached, then lose the rest with cards as high as can be. */
function playOhHell({ view, decision }, me) {
  const [winning, losing] = split(view, decision.options, view.trump);
  const worth = (card) => strength(card, "", view.trump);
  const wants = view.tricks[me] < view.bids[me];
  if (wants && view.trick.length === 0) {
    return [least(winning, (card) => 100 * unseenAbove(view, card) + worth(card))];
  }
  if (wants && winning.length > 0) {
    return [isLast(view) ? least(winning, worth) : best(winning, worth)];
  }
  if (wants) return [least(losing, worth)];
  if (losing.length > 0) return [best(losing, worth)];
  return [isLast(view) ? best(winning, worth) : least(winning, worth)];
}

// Pitch

const CARD_POINTS = { T: 10, J: 1, Q: 2, K: 3, A: 4 };
const HONOURS = { A: 1.6, K: 0.8, Q: 0.5, J: 0.6 };

/** What pitching this suit promises, in points. */
function promise(cards, suit) {
  const trumps = cards.filter(isIn(suit));
  return trumps.length / 3 + sum(trumps.map((card) => HONOURS[card[0]] ?? 0));
}

/** Bid as many points as our best suit promises; with more seats, more of them escape us. */
function bidPitch({ view, decision }, me) {
  const hope = Math.max(...SUITS.map((suit) => promise(view.cards, suit)));
  const most = hope + 0.25 - 0.2 * (view.scores.length - 3);
  const paying = decision.options.filter((bid) => bid !== "pass" && bid <= most);
  if (paying.length === 0) return [decision.options[0]];
  return [view.dealer === me ? paying[0] : paying.at(-1)];
}

/** Lead what nothing beats, win what is worth winning, and give away as little as can be. */
function playPitch({ view, decision }) {
  const trump = view.trump;
  if (!trump) {
    return [best(decision.options, (card) => promise(view.cards, card[1]) + height(card) / 100)];
  }
  const extra = { J: 12, 2: 6, 3: 6, 4: 6 };
  const prize = (card) =>
    (CARD_POINTS[card[0]] ?? 0) + (card[1] === trump ? (extra[card[0]] ?? 0) : 0);
  const worth = (card) => prize(card) + strength(card, "", trump);
  if (view.trick.length === 0) {
    const sure = decision.options.filter((card) => unseenAbove(view, card) === 0);
    return [sure.length > 0 ? best(sure, worth) : least(decision.options, worth)];
  }
  const [winning, losing] = split(view, decision.options, trump);
  if (winning.length > 0) {
    const pick = best(winning, isLast(view) ? worth : (card) => strength(card, "", trump));
    const stake = prize(pick) + sum(view.trick.map(([, card]) => prize(card)));
    if (stake >= 6 || losing.length === 0) return [pick];
  }
  return [least(losing, worth)];
}

// Cancellation Hearts

const penalty = (card) => (card === BLACK_MARIA ? 13 : card[1] === "H" ? 1 : 0);

/** How gladly we lose a card: Black Maria, then what she is caught with, then high cards. */
function burden(card) {
  const special = { QS: 100, AS: 20, KS: 20 };
  return height(card) + (special[card] ?? (card[1] === "H" ? 3 : 0));
}

/** Pass high cards of short suits; of long spades nothing, Black Maria is safe among them. */
function passHearts({ decision }) {
  const length = (suit) => decision.options.filter(isIn(suit)).length;
  const spades = length("S");
  const weight = (card) => {
    if (["QS", "KS", "AS"].includes(card)) return spades < 6 ? 30 : 2;
    return card[1] === "S" ? 0 : height(card) - length(card[1]) + (card[1] === "H" ? 2 : 0);
  };
  return [...decision.options].sort((a, b) => weight(b) - weight(a)).slice(0, decision.min);
}

/** Stay under the winning card, and lose what burdens us most when it costs nothing. */
function playHearts({ view, decision }) {
  const options = decision.options;
  if (view.trick.length === 0) return [least(options, burden)];
  const cards = view.trick.map(([, card]) => card);
  const led = cards[0][1];
  const harmless = view.set_aside === 0 && !cards.some((card) => penalty(card) > 0);
  const clean = options.filter((card) => penalty(card) === 0);
  if (isLast(view) && harmless && clean.length > 0) return [best(clean, burden)];
  // Only a card that lies there once can win, for identical cards cancel each other.
  const isAlone = (card) => cards.indexOf(card) === cards.lastIndexOf(card);
  const live = cards.filter((card) => card[1] === led && isAlone(card));
  const top = Math.max(-1, ...live.map(height));
  const losing = options.filter((c) => c[1] !== led || cards.includes(c) || height(c) < top);
  return [losing.length > 0 ? best(losing, burden) : least(options, burden)];
}

/** Add to the others' scores where that ends the game and wins it; otherwise subtract. */
function shootMoon({ view }, me) {
  const others = view.scores.filter((_, seat) => seat !== me).map((score) => score + 26);
  const ends = Math.max(...others) >= view.target;
  return [ends && view.scores[me] < Math.min(...others) ? "add" : "subtract"];
}

// I Doubt It

const NAMED = "AKQJT98765432";

/** Lay every card of the rank due, or bluff with what could be laid truly last of all. */
function discard({ view }) {
  const seats = view.counts.length;
  const due = NAMED.indexOf(view.rank);
  const wait = (card) => {
    for (let turns = 0; ; turns += 1) {
      if (NAMED[(due + turns * seats) % 13] === card[0]) return turns;
    }
  };
  const truth = view.cards.filter((card) => card[0] === view.rank);
  return truth.length > 0 ? truth : [best(view.cards, wait)];
}

/** Doubt only what cannot be true: we hold the rest of the rank. */
function doubt({ view }) {
  const packs = view.counts.length <= 5 ? 1 : 2;
  const ours = [...view.cards, ...view.own_pile].filter((card) => card[0] === view.discard.rank);
  return [view.discard.count > 4 * packs - ours.length];
}

const POLICIES = {
  oh_hell: { bid: bidOhHell, play: playOhHell },
  pitch: { bid: bidPitch, play: playPitch },
  cancellation_hearts: { pass: passHearts, play: playHearts, moon: shootMoon },
  i_doubt_it: { discard, doubt },
};

/** Choose as the referee would for us: legal in any game, even one that we do not know. */
function firstOptions({ decision }) {
  return decision.options.slice(0, decision.min);
}

let game = {};

/** What we have to say to a message; undefined where nothing is asked. */
function answer(message) {
  switch (message.type) {
    case "hello":
      return { type: "ready", name: "All games, JavaScript" };
    case "start":
      game = message;
      return undefined;
    case "turn": {
      const policy = POLICIES[game.game]?.[message.decision.kind] ?? firstOptions;
      return { id: message.id, choose: policy(message, game.seat) };
    }
    default:
      return undefined;
  }
}

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const said = answer(JSON.parse(line));
    if (said !== undefined) process.stdout.write(`${JSON.stringify(said)}\n`);
  });
