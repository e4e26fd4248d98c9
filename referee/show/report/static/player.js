// Where a replay stands, and what each key does to it: the same as on the terminal
// (referee/show/replay/player.py, whose tests compare the two).
"use strict";

const SPEEDS = [0.5, 1, 2, 4, 8, 16]; // steps a second

class Player {
  constructor(replay) {
    this.replay = replay;
    this.seat = null; // whose view is shown; null is all open
    this.step = 0;
    this.last = replay.decisions.length - 1;
    this.showsNotes = true;
    this.showsHelp = false;
    this.isPlaying = false;
    this.speed = SPEEDS.indexOf(2);
    this.typed = ""; // the number that is being typed
    this.hasQuit = false;
  }

  get waitMs() {
    return 1000 / SPEEDS[this.speed];
  }

  tick() {
    if (!this.isPlaying) return;
    this.goTo(this.step + 1);
    this.isPlaying = this.step < this.last;
  }

  press(key) {
    if (/^[0-9]$/.test(key)) {
      this.typed = (this.typed + key).slice(-7);
    } else if (this.typed) {
      this.finishNumber(key);
    } else if (this.showsHelp && key === "?") {
      this.showsHelp = false;
    } else {
      this.showsHelp = false;
      ACTIONS[key]?.(this);
    }
  }

  finishNumber(key) {
    const number = parseInt(this.typed, 10);
    this.typed = "";
    if (key === "enter") this.goToDecision(number);
    else if (key === "backspace") this.typed = String(number).slice(0, -1);
  }

  goTo(step) {
    this.step = Math.min(this.last, Math.max(0, step));
  }

  goToDecision(number) {
    const step = this.replay.decisions.findIndex((made) => made >= number);
    this.step = step < 0 ? this.last : step;
  }

  nextOf(steps) {
    this.step = steps.find((step) => step > this.step) ?? this.step;
  }

  lastOf(steps) {
    this.step = steps.findLast((step) => step < this.step) ?? this.step;
  }

  changeSpeed(by) {
    this.speed = Math.min(SPEEDS.length - 1, Math.max(0, this.speed + by));
  }

  see(seat) {
    this.seat = seat !== null && seat < this.replay.names.length ? seat : null;
  }
}

const forKeys = (keys, action) => Object.fromEntries(keys.map((key) => [key, action]));

const ACTIONS = {
  ...forKeys(["space", "right", "n", "enter"], (player) => player.goTo(player.step + 1)),
  ...forKeys(["left", "b", "backspace"], (player) => player.goTo(player.step - 1)),
  ...forKeys(["home", "g"], (player) => player.goTo(0)),
  ...forKeys(["end", "G"], (player) => player.goTo(player.last)),
  t: (player) => player.nextOf(player.replay.tricks),
  T: (player) => player.lastOf(player.replay.tricks),
  h: (player) => player.nextOf(player.replay.hands),
  H: (player) => player.lastOf(player.replay.hands),
  f: (player) => player.nextOf(player.replay.faults),
  F: (player) => player.lastOf(player.replay.faults),
  p: (player) => {
    player.isPlaying = !player.isPlaying && player.step < player.last;
  },
  ...forKeys(["+", "="], (player) => player.changeSpeed(+1)),
  "-": (player) => player.changeSpeed(-1),
  s: (player) => player.see(player.seat === null ? 0 : player.seat + 1),
  a: (player) => player.see(null),
  r: (player) => {
    player.showsNotes = !player.showsNotes;
  },
  "?": (player) => {
    player.showsHelp = true;
  },
  ...forKeys(["q", "Q"], (player) => {
    player.hasQuit = true;
  }),
};
