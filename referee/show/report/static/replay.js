// The replay's page: finds the game that the link names, opens it, and lets keys and clicks move it.
// replay.html#game=12&step=34 is a place; decision=7 says which decision instead, seat=2 whose view.
"use strict";

const at = (id) => document.getElementById(id);
const page = at("replay").dataset;
const packed = {};
const TOLD = 200; // how many lines of the telling are shown
const NAMES = { " ": "space", ArrowRight: "right", ArrowLeft: "left" };
const ALSO_NAMED = ["Enter", "Backspace", "Home", "End"];

let player = null;
let board = null;
let game = null;
let timer = null;

// Called by a file of replays: texts by their games' numbers.
function receiveReplays(replays) {
  Object.assign(packed, replays);
}

// Return the replay of a game, or throw an Error that says why there is none.
async function replayOf(number) {
  if (!(number >= 1 && number <= Number(page.games))) {
    throw new Error(`The games of this run are 1 to ${page.games}: the link names none of them.`);
  }
  const missing = new Error(`Game ${number} is not in this report: it has not been played, or its deals are still being played.`);
  if (!packed[number]) await load(`games/${Math.ceil(number / Number(page.shard))}.js`, missing);
  if (!packed[number]) throw missing;
  const bytes = Uint8Array.from(atob(packed[number]), (char) => char.charCodeAt(0));
  const opened = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(opened).json();
}

// Pages from the disk may fetch no file, but they may run a script.
function load(source, missing) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = resolve;
    script.onerror = () => reject(missing);
    document.head.append(script);
  });
}

async function openLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const number = Number(link.get("game") ?? 1);
  try {
    if (number !== game) openGame(number, await replayOf(number));
  } catch (error) {
    at("problem").textContent = error.message;
    at("problem").hidden = false;
    at("stage").hidden = true;
    game = null;
    return;
  }
  if (link.has("decision")) player.goToDecision(Number(link.get("decision")));
  else player.goTo(Number(link.get("step") ?? 0) || 0);
  player.see(link.has("seat") ? Number(link.get("seat")) : null);
  player.isPlaying = false;
  show();
}

function openGame(number, replay) {
  game = number;
  player = new Player(replay);
  board = new Board(replay);
  at("problem").hidden = true;
  at("stage").hidden = false;
  at("title").textContent = `Game ${number}: ${replay.game}, deal ${replay.deal}`;
  at("where").textContent = `game ${number}`;
  document.title = `${at("title").textContent} – replay`;
  at("step").max = player.last;
  at("next-fault").hidden = !replay.faults.length;
  at("seat").replaceChildren(
    new Option("all open", ""),
    ...replay.names.map((name, seat) => new Option(`${seat} ${name}`, seat)),
  );
  for (const [id, other] of [["before", number - 1], ["after", number + 1]]) {
    at(id).href = `#game=${other}`;
    at(id).hidden = other < 1 || other > Number(page.games);
  }
}

function show() {
  const { replay, step, seat } = player;
  board.draw(step, seat, { heading: at("heading"), table: at("table"), hands: at("hands") });
  at("step").value = step;
  at("seat").value = seat ?? "";
  at("play").textContent = player.isPlaying ? "Pause" : "Play";
  at("play").ariaLabel = at("play").textContent;
  at("notes").ariaPressed = String(player.showsNotes);
  at("status").textContent = status().join(" · ");
  tell(replay, replay.views[seat === null ? 0 : seat + 1], step);
  if (player.showsHelp !== at("help").open) {
    if (player.showsHelp) at("help").showModal();
    else at("help").close();
  }
  history.replaceState(null, "", `#game=${game}&step=${step}${seat === null ? "" : `&seat=${seat}`}`);
  clearTimeout(timer);
  if (player.isPlaying) timer = setTimeout(() => moved(() => player.tick()), player.waitMs);
}

function status() {
  const { replay, step } = player;
  const facts = [`decision ${replay.decisions[step]} of ${replay.decisions.at(-1)}`];
  facts.push(`step ${step} of ${player.last}`);
  facts.push(player.seat === null ? "all open" : `as seat ${player.seat} knew it`);
  if (!player.showsNotes) facts.push("remarks hidden");
  if (player.isPlaying) facts.push(`playing, ${SPEEDS[player.speed]} steps a second`);
  if (replay.faults.length) facts.push(`${replay.faults.length} with faults`);
  if (player.typed) facts.push(`go to ${player.typed}`);
  return facts;
}

function tell(replay, view, step) {
  const lines = view.lines.slice(0, view.ends[step]).map((line) => replay.texts[line]);
  if (view.growing[step] >= 0) lines.push(replay.texts[view.growing[step]]);
  const told = step ? view.ends[step - 1] : 0;
  at("news").textContent = lines.slice(told).map(([text]) => text.trim()).join(". "); // read out
  const shown = lines.filter(([, tone]) => player.showsNotes || tone !== "note").slice(-TOLD);
  at("told").replaceChildren(...shown.map(([text, tone]) => make("li", tone, ...painted(text))));
  at("told").scrollTop = at("told").scrollHeight;
}

// Cards in the colours of their suits.
function painted(text) {
  return text.split(/([2-9TJQKA]?[♣♦♥♠])/).map((part, place) => {
    const suit = place % 2 && Object.keys(SYMBOLS).find((each) => part.endsWith(SYMBOLS[each]));
    return suit ? make("span", SUITS[suit], part) : part;
  });
}

function moved(move) {
  if (!player) return;
  move();
  if (player.hasQuit) location.href = "index.html#games";
  else show();
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || at("help").open) return;
  const isOwn = event.target.closest("select, a, #theme") || (event.target.closest("button") && /^( |Enter)$/.test(event.key));
  if (isOwn) return; // a control takes its own keys
  const key = NAMES[event.key] ?? (ALSO_NAMED.includes(event.key) ? event.key.toLowerCase() : event.key);
  if (!(key in ACTIONS) && !/^[0-9]$/.test(key) && !player?.typed) return;
  event.preventDefault();
  moved(() => player.press(key));
});
document.querySelector(".controls").addEventListener("click", (event) => {
  const key = event.target.closest("[data-key]")?.dataset.key;
  if (key) moved(() => player.press(key));
});
at("step").addEventListener("input", (event) => moved(() => player.goTo(Number(event.target.value))));
at("seat").addEventListener("change", (event) =>
  moved(() => player.see(event.target.value === "" ? null : Number(event.target.value))),
);
at("help").addEventListener("close", () => moved(() => { player.showsHelp = false; }));
addEventListener("hashchange", openLink);
openLink();
