// Draws a position: the seats around the table, what lies on it, and the hands. It knows no rules.
"use strict";

const SYMBOLS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const IS_CARD = /^[2-9TJQKA][CDHS]$/;

// Fold the changes of each step into positions; what did not change is shared.
function foldPositions(changes) {
  let position = {};
  return changes.map((change) => {
    position = { ...position };
    for (const [name, value] of Object.entries(change)) {
      position[name] = BY_SEAT.includes(name) ? Object.assign([...(position[name] ?? [])], value) : value;
    }
    return position;
  });
}

const BY_SEAT = ["hands", "bids", "won", "scores"];

function make(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content.filter((part) => part !== null));
  return made;
}

function drawCard(card, ...classes) {
  const drawn = make("span", ["card", ...classes].join(" "));
  if (!IS_CARD.test(card)) {
    drawn.textContent = card;
    return drawn;
  }
  drawn.classList.add(SUITS[card[1]]);
  drawn.append(card[0] === "T" ? "10" : card[0], SYMBOLS[card[1]]);
  return drawn;
}

const drawCards = (cards) => make("span", "cards", ...cards.map((card) => drawCard(card)));

class Board {
  constructor(replay) {
    this.replay = replay;
    this.positions = foldPositions(replay.changes);
  }

  // Draw the position after a step; with a seat, only its hand is open.
  draw(step, seat, { heading, table, hands }) {
    const position = this.positions[step];
    [heading, table, hands].forEach((place) => {
      place.hidden = !position;
    });
    if (!position) return;
    heading.replaceChildren(...this.heading(position));
    table.className = this.replay.names.length > 8 ? "table crowd" : "table";
    table.replaceChildren(
      make("div", "centre", ...this.centre(position, seat)),
      ...this.replay.names.map((_, other) => this.seat(position, other, seat)),
    );
    hands.replaceChildren(...this.hands(position, seat));
  }

  heading(position) {
    const facts = [];
    if (position.hand) facts.push(`hand ${position.hand}`);
    if (position.has_trump && !position.trump) facts.push("no trump");
    if (position.trump) {
      const suit = SYMBOLS[position.trump] ?? position.trump;
      facts.push(make("span", "", "trump ", make("b", SUITS[position.trump], suit)));
    }
    if (position.pitcher !== null) facts.push(`pitcher ${position.pitcher}`);
    if (position.turned) facts.push(make("span", "", "turned ", drawCard(position.turned)));
    if (position.pass_to && !position.trick) facts.push(`passing to the ${position.pass_to}`);
    if (position.trick) facts.push(`trick ${position.trick}`);
    if (position.set_aside) facts.push(`${position.set_aside} set aside`);
    if (position.left_over) facts.push(`${position.left_over} left over`);
    return facts.map((fact) => (typeof fact === "string" ? make("span", "", fact) : fact));
  }

  // The viewer, else seat 0, sits at the bottom; its left goes on clockwise.
  seat(position, seat, viewer) {
    const isOpen = viewer === null || viewer === seat;
    // What others only learn with the result is no mark in a seat's view.
    const hasLeft = position.forfeited.includes(seat) && (isOpen || position.ranks !== null);
    const decides = position.deciding.includes(seat);
    const place = (seat - (viewer ?? 0) + this.replay.names.length) % this.replay.names.length;
    const angle = (2 * Math.PI * place) / this.replay.names.length;
    const drawn = make(
      "div",
      `seat${hasLeft ? " forfeited" : ""}${decides && !hasLeft ? " decides" : ""}`,
      make("b", "name", `${seat} ${this.replay.names[seat]}`),
      position.dealer === seat ? make("abbr", "dealer", "D") : null,
      hasLeft ? make("span", "hidden", " has forfeited") : null,
      decides ? make("span", "hidden", " decides") : null,
      make("span", "seatfacts", this.facts(position, seat)),
      this.played(position, seat),
    );
    drawn.querySelector("abbr")?.setAttribute("title", "dealer");
    drawn.style.left = `${50 - 42 * Math.sin(angle)}%`;
    drawn.style.top = `${50 + 42 * Math.cos(angle)}%`;
    drawn.style.setProperty("--inwards-x", Math.sin(angle).toFixed(3));
    drawn.style.setProperty("--inwards-y", (-Math.cos(angle)).toFixed(3));
    return drawn;
  }

  facts(position, seat) {
    if (position.ranks !== null) return `${position.ranks[seat]}. with ${position.scores[seat]}`;
    if (!position.hand) return `${position.hands[seat].length} cards`;
    const facts = [position.scores[seat]];
    const bid = position.bids[seat];
    if (bid !== null) facts.push(bid === "pass" ? "passed" : `bid ${bid}`);
    if (position.trick) facts.push(`won ${position.won[seat]}`);
    return facts.join(" · ");
  }

  played(position, seat) {
    const play = position.plays.find(([player]) => player === seat);
    if (!play) return null;
    const isCancelled = position.plays.filter(([, card]) => card === play[1]).length > 1;
    const isBest = position.is_won && position.winner === seat && !isCancelled;
    const drawn = drawCard(play[1], "played", isCancelled ? "cancelled" : isBest ? "wins" : "plain");
    if (isCancelled) drawn.append(make("span", "hidden", " cancelled"));
    if (isBest) drawn.append(make("span", "hidden", " wins"));
    return drawn;
  }

  // What lies in the middle of the table.
  centre(position, viewer) {
    const lines = [];
    if (position.is_won && !position.pile.length) {
      const winner = position.winner;
      lines.push(make("p", "", winner === null ? "nobody wins" : `${this.replay.names[winner]} wins`));
    }
    if (position.pile.length) {
      const laid = position.pile.at(-1);
      const count = position.pile.reduce((sum, each) => sum + each.count, 0);
      const claims = position.pile.slice(-9).map((each) => `${each.count}×${each.rank}`);
      lines.push(make("p", "", `${count} on the pile`), make("p", "claims", claims.join(" ")));
      lines.push(make("p", "", make("b", "", `${laid.seat} lays ${laid.count} as ${laid.rank}`)));
      if (laid.cards.length && (viewer === null || viewer === laid.seat)) {
        lines.push(make("p", "down", drawCards(laid.cards)));
      }
    }
    if (position.verdict) {
      lines.push(make("p", "verdict", drawCards(position.shown), ` ${position.verdict}`));
    }
    return lines;
  }

  hands(position, viewer) {
    return position.hands
      .map((cards, seat) => ({ cards, seat }))
      .filter(({ seat }) => viewer === null || viewer === seat)
      .map(({ cards, seat }) =>
        make("div", "hand", make("span", "holder", `${seat} ${this.replay.names[seat]}`), drawCards(cards)),
      );
  }
}
