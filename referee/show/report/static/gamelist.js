// The list of games: filtered, sorted, and a thousand shown at a time.
"use strict";

const GAMES_A_LEAF = 1000;

const COLUMNS = [
  { label: "Game", value: (game) => game.number },
  { label: "Kind", isText: true, value: (game) => game.kind },
  { label: "Table", value: (game) => game.table },
  { label: "Deal", value: (game) => game.deal },
  { label: "Rotation", value: (game) => game.rotation },
  { label: "Seats, from 0, with their scores", isText: true, value: (game) => game.bots.join() },
  { label: "Decisions", value: (game) => game.decisions },
  { label: "Faults", value: (game) => game.faults },
];

// Called by games.js with all games of the schedule; a row is as `game_rows` writes it.
function listGames({ bots, entries, rows }) {
  const games = rows.map(
    ([number, entry, table, deal, rotation, seats, scores, ranks, forfeited, faults, decisions]) => ({
      number, entry, table, deal, rotation, scores, ranks, forfeited, faults, decisions,
      kind: entries[entry - 1],
      bots: seats.map((bot) => bots[bot]),
    }),
  );
  const table = document.getElementById("gamelist");
  const [ofBot, ofEntry, withFaults] = ["of-bot", "of-entry", "with-faults"].map((id) =>
    document.getElementById(id),
  );
  let sorted = games;
  let leaf = 0;

  bots.forEach((bot) => ofBot.add(new Option(bot)));
  entries.forEach((game, at) => ofEntry.add(new Option(`${at + 1}. ${game}`, at + 1)));
  table.tHead.rows[0].append(...COLUMNS.map(headOf));

  function show() {
    const found = sorted.filter(
      (game) =>
        (!ofBot.value || game.bots.includes(ofBot.value)) &&
        (!ofEntry.value || game.entry === Number(ofEntry.value)) &&
        (!withFaults.checked || game.faults),
    );
    const leaves = Math.max(1, Math.ceil(found.length / GAMES_A_LEAF));
    leaf = Math.min(leaf, leaves - 1);
    const shown = found.slice(leaf * GAMES_A_LEAF, (leaf + 1) * GAMES_A_LEAF);
    table.tBodies[0].replaceChildren(...shown.map((game) => (game.row ??= rowOf(game))));
    document.getElementById("shown").textContent = `${found.length.toLocaleString("en")} games`;
    const turn = (at) => {
      leaf = at;
      show();
    };
    document.getElementById("leaves").replaceChildren(...leafButtons(leaves, leaf, turn));
  }

  // A link may say whose games are meant: index.html#bot=greedy&faults
  function readLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    if (!link.has("bot")) return;
    ofBot.value = link.get("bot");
    withFaults.checked = link.has("faults");
    show();
    document.getElementById("games").scrollIntoView();
  }

  makeSortable(table, (column, direction) => {
    const { value, isText } = COLUMNS[column];
    const order = isText
      ? (one, other) => value(one).localeCompare(value(other))
      : (one, other) => (value(one) ?? 0) - (value(other) ?? 0);
    sorted = games.toSorted((one, other) => direction * order(one, other));
    show();
  });
  document.getElementById("filter").addEventListener("change", show);
  addEventListener("hashchange", readLink);
  show();
  readLink();
}

function headOf({ label, isText }) {
  const button = element("button", "sort", label);
  button.type = "button";
  const head = element("th", isText ? "text" : "number");
  head.scope = "col";
  head.append(button);
  return head;
}

function rowOf(game) {
  const isPlayed = game.scores !== undefined;
  const row = document.createElement("tr");
  const head = element("th", "number");
  head.scope = "row";
  if (isPlayed) {
    const link = element("a", "", game.number);
    link.href = `replay.html#game=${game.number}`;
    head.append(link);
  } else {
    head.textContent = game.number;
  }
  const seats = element("td", "text seats");
  game.bots.forEach((bot, seat) => {
    const each = element("span", game.ranks?.[seat] === 1 ? "first" : "", bot);
    if (isPlayed) each.append(" ", element("small", "", game.scores[seat]));
    if (game.forfeited?.includes(seat)) each.classList.add("forfeited");
    seats.append(each);
  });
  row.append(head, element("td", "text", game.kind));
  row.append(...[game.table, game.deal, game.rotation].map((fact) => element("td", "", fact)));
  row.append(seats);
  row.append(element("td", isPlayed ? "" : "none", isPlayed ? game.decisions : "not played"));
  row.append(element("td", game.faults ? "bad" : "", isPlayed ? game.faults : ""));
  return row;
}

function leafButtons(leaves, open, turn) {
  if (leaves === 1) return [];
  return Array.from({ length: leaves }, (_, at) => {
    const button = element("button", "", at + 1);
    button.type = "button";
    button.ariaLabel = `Page ${at + 1} of ${leaves}`;
    if (at === open) button.setAttribute("aria-current", "page");
    button.addEventListener("click", () => turn(at));
    return button;
  });
}

function element(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}
