"use strict";

// The page of `vt serve`. The server's emulator produces rows; here they become elements, and text from a program is
// only ever set as text. docs/protocol.md describes the frames.

const ui = {};
for (const element of document.querySelectorAll("[id]")) ui[element.id] = element;
const { view, screen, lines, cursor, field } = ui;

const on = (target, type, action) => target.addEventListener(type, action);
const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const set = (element, text) => { if (element.textContent !== text) element.textContent = text; };

// Without controls that could reorder what surrounds the text.
const visible = (text) => text.slice(0, 500).replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, " ");

// A browser may refuse to store anything.
const stored = (storage, value) => {
  try {
    if (value === undefined) return window[storage].getItem("vt");
    window[storage].setItem("vt", value);
  } catch {}
};
// Other pages of the same origin may have stored something else.
const choices = (() => {
  try { return Object.assign({}, JSON.parse(stored("localStorage"))); } catch { return {}; }
})();
const choose = (name, value) => {
  choices[name] = value;
  stored("localStorage", JSON.stringify(choices));
};

// MARK: Frames

const Kind = {
  input: 17, resize: 18, ask: 29,
  login: 96, watch: 97, shown: 98, key: 99, paste: 100, history: 101, seek: 102, download: 103,
};

const integer = (value, size) => {
  const bytes = new Uint8Array(size);
  for (; size > 0; value = Math.floor(value / 256)) bytes[--size] = value % 256;
  return bytes;
};
const encode = (text) => new TextEncoder().encode(text);
const frame = (kind, ...parts) => {
  const bytes = [kind, ...parts.flatMap((part) => [...(typeof part === "string" ? encode(part) : part)])];
  return new Uint8Array([...integer(bytes.length, 4), ...bytes]);
};

class Reader {
  constructor(buffer) { this.rest = new Uint8Array(buffer, 4); }
  take(size) {
    const taken = this.rest.subarray(0, size);
    this.rest = this.rest.subarray(size);
    return taken;
  }
  integer(size) { return this.take(size).reduce((value, byte) => value * 256 + byte, 0); }
  string(size = this.integer(4)) { return new TextDecoder().decode(this.take(size)); }
  json() { return JSON.parse(this.string(this.rest.length)); }
}

// MARK: Connection

// What the login consists of: a token, the key that is to replace it, or both.
let token;
let role, socket, isLoggedIn, timer;
let attempts = 0;

// The end after a close code: title, text, and whether the link may work later.
const endings = {
  4401: ["This link is not valid", "It is unknown or has expired, or the server was restarted. "
    + "To make another one, use 'vt share' on the server."],
  4403: ["This link was revoked", "Ask for a new one."],
  4405: ["This link has already been used", "Each tab needs a link of its own, which 'vt share' makes on the server. "
    + "If the page that used it was not yours, tell the sender."],
  4429: ["Too many failed logins", "Wait a minute.", true],
  4503: ["Too many pages are connected", "Close another one.", true],
};

const randomText = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24)))).replaceAll("+", "-").replaceAll("/", "_");

// Keeps what logs this tab in after a reload. Browsers write the storage to a file, but not the name of a window.
const keep = (stays, goes = "") => {
  stored("sessionStorage", stays);
  window.name = goes && "vt:" + goes;
};

// A browser remembers the address. The server therefore replaces the token in it by the key of this tab, of which no file
// contains both halves.
const takeToken = () => {
  const given = /^#k=([\w-]+)$/.exec(location.hash)?.[1];
  if (given) {
    const key = [randomText(), randomText()];
    keep(...key);
    token = given + " " + key.join("");
    history.replaceState(null, "", location.pathname + location.search);
  }
  token ??= (stored("sessionStorage") ?? "") + (/^vt:(.*)/.exec(window.name)?.[1] ?? "");
  return given;
};

const connect = () => {
  clearTimeout(timer);
  isLoggedIn = session.isWatched = false;
  if (!token) return notice("A link is needed", "Open a link that 'vt serve' or 'vt share' printed.");
  socket?.close();
  const current = socket = new WebSocket(location.href.replace(/^http/, "ws").replace(/[?#].*/, "") + "ws", "vt.1");
  socket.binaryType = "arraybuffer";
  let isOpen = false;
  socket.onopen = () => {
    isOpen = true;
    current.send(frame(Kind.login, token));
  };
  socket.onmessage = ({ data }) => { if (current === socket) receive(new Reader(data)); };
  socket.onclose = ({ code }) => { if (current === socket) disconnected(code, isOpen); };
  showConnection("Connecting…");
};

// Scripts cannot see why a connection was refused.
const explain = async () => {
  const { status } = await fetch("ws").catch(() => ({}));
  const reason = { 503: "Too many pages are connected" }[status];
  if (reason && !isLoggedIn) showConnection(`${reason}, reconnecting`);
};

const send = (...parts) => { if (isLoggedIn) socket.send(frame(...parts)); };

const disconnected = (code, wasOpen) => {
  isLoggedIn = session.isWatched = false;
  socket = null;
  if ([1001, 1006, 1011, 1012].includes(code)) {
    const delay = Math.min(32, 2 ** attempts++) * (0.7 + 0.6 * Math.random());
    timer = setTimeout(connect, 1000 * delay);
    if (!wasOpen) explain();
    return showConnection(`${wasOpen ? "Connection lost" : "Cannot connect"}, reconnecting in ${Math.ceil(delay)} s`);
  }
  const [title, text, mayWorkLater] = endings[code] ?? ["The server closed the connection", `Code ${code}.`, true];
  if (!mayWorkLater) keep(token = "");
  leaveSession();
  notice(title, text, mayWorkLater);
};

let connectionText = "";
const showConnection = (state = connectionText) => {
  connectionText = state;
  const isWaiting = !isLoggedIn && session.pending.length + session.unsent.length > 0;
  const text = state + (isWaiting ? ". What you have typed is not sent yet." : "");
  for (const element of document.querySelectorAll(".connection")) {
    set(element, text);
    element.classList.toggle("lost", isLoggedIn !== true);
  }
  set(ui.status, text);
};

const handlers = {
  6: (reader) => failed(reader),
  36: (reader) => answered(reader.integer(8)),
  39: (reader) => showExit(reader),
  66: (reader) => download(reader.json()),
  67: (reader) => noted(reader),
  112: (reader) => welcome(reader.json()),
  113: (reader) => showRows(reader.json()),
  114: (reader) => updateList(reader.json()),
  115: (reader) => showPast(reader.json()),
  116: (reader) => startWatching(reader.integer(8), reader.json()),
};
const receive = (reader) => {
  const kind = reader.integer(1);
  if (session.isWatched || [6, 112, 114, 116].includes(kind)) handlers[kind]?.(reader);
};

const welcome = (answer) => {
  isLoggedIn = true;
  role = answer.role;
  const [first, key = first] = token.split(" ");
  token = answer.reusable ? first : key;
  if (answer.reusable) keep(token);
  timer = setTimeout(() => attempts = 0, 5000);
  showConnection("Connected");
  showRoute();
};

const show = (name) => { for (const id of ["notice", "list", "session"]) ui[id].hidden = id !== name; };

const notice = (title, text, canRetry) => {
  set(ui.noticeTitle, title);
  set(ui.noticeText, text);
  set(ui.status, `${title}. ${text}`);
  ui.retry.hidden = !canRetry;
  show("notice");
};

// The session in the address, `#/REFERENCE`.
const route = () => {
  try { return decodeURIComponent(/^#\/(.*)/.exec(location.hash)?.[1] ?? ""); } catch { return ""; }
};

const showRoute = () => {
  if (route()) return openSession(route());
  if (session.reference) send(Kind.watch, session.token, "");
  leaveSession();
  document.title = "Sessions – vt";
  show("list");
};

// MARK: List

let sessions;
const items = new Map();
const address = (entry) => "#/" + encodeURIComponent(entry.session);

const updateList = (list) => {
  if (!sessions && role !== "owner" && list.length === 1 && !route()) location.replace(address(list[0]));
  sessions = list;
  // The page follows a session that is renamed, and not one that gets its name.
  const renamed = session.id && list.find(({ id }) => id === session.id)?.session;
  if (renamed && renamed !== session.reference) {
    session.reference = renamed;
    history.replaceState(null, "", "#/" + encodeURIComponent(renamed));
    showName();
  }
  showList();
  showState();
};

const showList = () => {
  if (!sessions) return;
  const words = ui.filter.value.toLowerCase().split(/\s+/);
  const shown = sessions.filter((entry) => {
    const text = [entry.session, stateText(entry), commandText(entry)].join().toLowerCase();
    return words.every((word) => text.includes(word));
  }).sort((a, b) => isLive(b) - isLive(a) || (b.created_at > a.created_at ? 1 : -1));
  const elements = shown.map(listItem);
  const old = ui.sessions.children;
  if (elements.length !== old.length || elements.some((item, at) => item !== old[at])) {
    ui.sessions.replaceChildren(...elements);
  }
  set(ui.count, !sessions.length ? "No sessions. Start one with 'vt sessions create'."
    : shown.length ? `${shown.length} of ${sessions.length}` : "No session matches.");
};

// Elements are kept, and with them the focus.
const listItem = (entry) => {
  const item = items.get(entry.session) ?? make("li", {}, make("a", { href: address(entry) },
    ...["name", "state", "command", "age"].map((className) => make("span", { className }))));
  items.set(entry.session, item);
  const [name, state, command, age] = item.firstChild.children;
  set(name, visible(entry.session));
  set(state, stateText(entry));
  state.dataset.state = stateKind(entry);
  set(command, commandText(entry));
  set(age, isRecording(entry) ? durationText(entry.duration) : ageText(entry.created_at));
  return item;
};

const isLive = (entry) => ["starting", "running", "frozen", "paused"].includes(entry.state);
const isRecording = (entry) => entry.kind === "recording";
const exitText = (exit) => (exit.signal ? `killed by ${exit.signal}` : `exited with ${exit.code}`);
const stateText = (entry) => (isRecording(entry) ? "recording"
  : entry.exit ? exitText(entry.exit) : entry.question ? "asks" : entry.state);
const stateKind = ({ exit, question, state }) => (exit && exit.code !== 0 ? "failed" : question ? "asks" : state);
const commandText = ({ command = [] }) => visible(
  command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" "));

const ageText = (date) => {
  const seconds = Math.max(1, (Date.now() - Date.parse(date)) / 1000);
  const [unit, size] = Object.entries({ d: 86400, h: 3600, m: 60, s: 1 }).find(([, size]) => seconds >= size);
  return Math.floor(seconds / size) + unit;
};
const durationText = (seconds = 0) =>
  Math.floor(seconds / 3600) + new Date(seconds * 1000).toISOString().slice(13, 19);

// MARK: Session

const newSession = () => ({
  reference: "", id: "", token: crypto.getRandomValues(new Uint8Array(16)), role: "read", isWatched: false, exit: null,
  sequence: 0, pending: [], unsent: [], update: null, rows: [], isFollowing: true, announced: null,
  duration: null, start: 0, time: null, wanted: null, isSeeking: false, isPlaying: false,
});
let session = newSession();

const isWritable = () => session.role !== "read" && !session.exit;

const leaveSession = () => {
  session = newSession();
  clearPast(0);
  lines.replaceChildren();
  for (const id of ["title", "announcer", "state"]) ui[id].textContent = "";
  cursor.hidden = ui.timeline.hidden = true;
  say("");
};

const openSession = (reference) => {
  if (session.reference !== reference) leaveSession();
  session.reference = reference;
  session.isWatched = false;
  showName();
  show("session");
  showState();
  send(Kind.watch, session.token, session.id || reference);
};

const showName = () => {
  set(ui.name, visible(session.reference));
  document.title = `${visible(session.reference)} – vt`;
};

const startWatching = (lastInput, { id = "", role, duration = null, started_at }) => {
  Object.assign(session, { isWatched: true, id, role, duration, start: Date.parse(started_at), isSeeking: false });
  past.isBusy = false;
  if (duration !== null) ui.timeline.hidden = false;
  if (session.time !== null) seek(session.time);
  answered(lastInput);
  for (const [, ...parts] of session.pending) send(...parts);
  sendInput();
  showState();
  if (!session.update && !isTouch()) (isWritable() ? field : view).focus();
};

const isTouch = () => matchMedia("(pointer: coarse)").matches;

const showState = () => {
  const entry = sessions?.find((entry) => entry.session === session.reference);
  const known = session.exit ? session : entry ?? { state: "" };
  const isReadOnly = session.isWatched && session.role === "read" && known.state === "running";
  set(ui.state, stateText(known) + (isReadOnly ? ", read-only" : ""));
  ui.state.dataset.state = stateKind(known);
  set(ui.request, visible(known.question ?? ""));
  ui.question.hidden = !known.question;
  showTools();
};

// Answers the question of `vt sessions ask`.
const answer = (action) => {
  const { question } = sessions.find((entry) => entry.session === session.reference) ?? {};
  const string = (text) => [...integer(encode(text).length, 4), ...encode(text)];
  if (question) send(Kind.ask, string(action), string(question), [0]);
};

const showExit = (reader) => {
  reader.take(8);
  session.exit = reader.integer(1) ? { signal: reader.string() } : { code: reader.integer(4) };
  session.pending = [];
  session.unsent = [];
  say(`The program ${session.exit.signal ? "was " : ""}${exitText(session.exit)}.`);
  showState();
  showCursor();
};

const say = (text) => {
  set(ui.message, text);
  ui.message.hidden = !text;
};

// A failure is the answer to `watch`, or to the oldest unanswered input.
const failed = (reader) => {
  const [, text, hint] = [0, 0, 0].map(() => visible(reader.string()));
  if (session.isWatched) session.pending.shift();
  // The rest of a paste would be of no use.
  session.unsent = [];
  say(text.charAt(0).toUpperCase() + text.slice(1) + (hint && ` (${hint})`));
};

// A message about the connection to another machine, or the answer to a time that cannot be shown.
const noted = (reader) => {
  reader.take(1);
  say(visible(reader.string()));
  session.isSeeking = false;
  sendSeek();
};

// MARK: Screen

const emptyRow = { text: "", runs: [] };

const showRows = (update) => {
  const { columns, rows } = update.size;
  const isResized = columns !== session.update?.size.columns || rows !== lines.children.length;
  if (isResized) clearPast(0);
  session.update = update;
  screen.classList.toggle("reversed", update.modes.includes("reverse-video"));
  while (lines.children.length > rows) lines.lastChild.remove();
  while (lines.children.length < rows) lines.append(make("div"));
  session.rows.length = rows;
  if (update.full) [...lines.children].forEach((element, at) => paintRow(element, session.rows[at] = emptyRow));
  for (const row of update.rows) paintRow(lines.children[row.at], session.rows[row.at] = row);
  set(ui.title, visible(update.title ?? ""));
  if (isResized) layOut();
  showTime(update.time ?? null);
  updatePast();
  showCursor();
  follow();
  session.announced ??= session.rows.map((row) => row.text);
  announceTimer ||= setTimeout(announce, 1000);
  const { token } = session;
  requestAnimationFrame(() => { if (token === session.token) send(Kind.shown, integer(update.number, 8)); });
};

const paintRow = (element, row) => {
  const nodes = [];
  let column = 0;
  for (const run of row.runs) {
    nodes.push(" ".repeat(run.column - column), runNode(run));
    column = run.column + run.width;
  }
  element.className = row.size ?? "";
  element.replaceChildren(...(row.size ? [make("div", {}, ...nodes)] : nodes.length ? nodes : [make("br")]));
  return element;
};

const runNode = (run) => {
  const style = runStyle(run);
  const href = /^(https?:\/\/|mailto:)/i.test(run.link) && URL.parse(run.link)?.href;
  const parts = (isPlain(run.text) ? [[run.text]] : clusters(run.text, run.width)).map(([text, width]) => {
    if (isPlain(text)) return text;
    const box = make("span", { className: "box" }, text);
    box.style.width = width + "ch";
    return box;
  });
  if (!style && !href && parts.length === 1) return parts[0];
  const element = href ? make("a", { href, title: href.slice(0, 500), target: "_blank", rel: "noopener noreferrer" })
    : make("span");
  element.style.cssText = style;
  element.append(...parts);
  return element;
};

const runStyle = (run) => {
  const { attributes = [], foreground, background, underline } = run;
  if (!attributes.length && (foreground ?? background ?? underline) === undefined) return "";
  const when = (name, value = name) => (attributes.includes(name) ? value : "");
  let [front, back] = [color(foreground), color(background)];
  if (when("inverse")) [front, back] = [back || "var(--back)", front || "var(--front)"];
  if (when("dim")) front = `color-mix(in srgb,${front || "var(--front)"} 67%,${back || "var(--back)"})`;
  if (when("concealed")) front = "transparent";
  const shape = { curly: "wavy", single: "solid" }[underline] ?? underline;
  const decoration = [underline && "underline", when("struck", "line-through"), when("overlined", "overline"), shape];
  return `color:${front};background:${back};` + when("bold", "font-weight:bold;") + when("italic", "font-style:italic;")
    + when("blink", "animation:blink 1s infinite;")
    + `text-decoration:${[...decoration, color(run.underline_color)].filter(Boolean).join(" ")}`;
};

const color = (value = "") => {
  if (typeof value === "string") return /^#[0-9a-f]{6}$/.test(value) ? value : "";
  if (value < 16) return `var(--c${value})`;
  if (value >= 232) return `rgb(${Array(3).fill(value * 10 - 2312)})`;
  return `rgb(${[36, 6, 1].map((place) => Math.floor((value - 16) / place) % 6).map((level) => level && 55 + level * 40)})`;
};

const segmenter = new Intl.Segmenter();
// Characters of any monospace font; the glyphs of others may have other widths, and get a box.
const isPlain = (text) => /^[ -~\u00AE-\u02FF\u0370-\u052F]*$/.test(text);
const isWide = (text) => !/^[\uFF61-\uFFDC]/.test(text) &&
  /^\p{Emoji_Presentation}|\uFE0F|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u
    .test(text);

// The clusters of a run with their widths, of which only the sum is known.
const clusters = (text, width) => {
  const known = (cluster) => (isPlain(cluster) ? 1 : /^\p{Cf}/u.test(cluster) ? 0 : null);
  const list = Array.from(segmenter.segment(text), ({ segment }) => [segment, known(segment)]);
  const sum = () => list.reduce((sum, [, columns]) => sum + columns, 0);
  const others = list.filter(([, columns]) => columns === null);
  const mean = (width - sum()) / others.length;
  for (const item of others) item[1] = mean === 1 || mean === 2 ? mean : isWide(item[0]) ? 2 : 1;
  return sum() === width ? list : words(text, width);
};

// The words of a run whose clusters may be others than those of the terminal: only what is between them has known widths.
const words = (text, width) => {
  const list = text.split(/([^ -~]+)/).filter(Boolean).map((word) => [word, isPlain(word) ? word.length : null]);
  const others = list.filter(([, columns]) => columns === null);
  let rest = list.reduce((rest, [, columns]) => rest - columns, width);
  let length = others.reduce((sum, [word]) => sum + word.length, 0);
  for (const item of others) {
    item[1] = Math.max(0, Math.round(rest * item[0].length / length));
    [rest, length] = [rest - item[1], length - item[0].length];
  }
  return list;
};

const showCursor = () => {
  if (!session.update) return;
  const { column, row, visible, shape, blinking } = session.update.cursor;
  const { runs, size } = session.rows[row] ?? emptyRow;
  const run = runs.find((run) => column >= run.column && column < run.column + run.width);
  let end = run?.column;
  const [text, width] = run && clusters(run.text, run.width).find(([, width]) => column < (end += width)) || ["", 1];
  const scale = size ? 2 : 1;
  cursor.hidden = !visible || session.exit;
  cursor.className = shape + (blinking ? " blinking" : "");
  set(cursor, shape === "block" && !size ? text : "");
  const place = { left: column * scale + "ch", top: row * lineHeight + "px" };
  Object.assign(cursor.style, place, { width: width * scale + "ch" });
  Object.assign(field.style, place);
};

let lineHeight, cellWidth;

const measure = (size) => {
  ui.probe.style.fontSize = size + "px";
  lineHeight = Math.round(size * 1.17);
  cellWidth = ui.probe.getBoundingClientRect().width / 100;
};
// A smaller size makes all columns fit.
const layOut = () => {
  if (!session.update) return;
  const { columns } = session.update.size;
  let size = 14;
  for (measure(size); size > 7 && cellWidth * columns > view.clientWidth - 16;) measure(size -= 0.5);
  view.style.setProperty("--size", size + "px");
  view.style.setProperty("--line", lineHeight + "px");
  screen.style.width = columns + "ch";
  showCursor();
  follow();
};

const fit = () => {
  measure(14);
  const count = (length, unit) => integer(Math.max(2, (length - 16) / unit), 2);
  send(Kind.resize, count(view.clientWidth, cellWidth), count(view.clientHeight, lineHeight));
  layOut();
};

// Keeps the cursor in view, unless the user reads older rows.
const follow = () => {
  ui.bottom.hidden = session.isFollowing;
  if (!session.isFollowing || !session.update) return;
  const nearest = { block: "nearest", inline: "nearest" };
  if (screen.offsetHeight <= view.clientHeight) view.scrollTop = view.scrollHeight;
  else lines.children[session.update.cursor.row].scrollIntoView(nearest);
  if (document.activeElement === field) field.scrollIntoView(nearest);
};

on(view, "scroll", () => {
  session.isFollowing = view.scrollTop >= Math.min(screen.offsetTop - 8, view.scrollHeight - view.clientHeight) - 4;
  ui.bottom.hidden = session.isFollowing;
  if (view.scrollTop < 200 && past.end > past.start) loadEarlier();
});

// MARK: Rows above the screen
// They are numbered from the first that left the screen; those in start..<end are in the document.

const past = {};

const clearPast = (total) => {
  Object.assign(past, { start: total, end: total });
  ui.history.replaceChildren();
};

const updatePast = () => {
  const { scrollback, scrolled = scrollback, alternate } = session.update;
  const isHidden = alternate || session.time !== null;
  const missing = scrolled - past.end;
  if (isHidden || missing < 0 || missing && (session.isFollowing || past.start === past.end)) clearPast(scrolled);
  else if (missing && missing <= 500) requestPast(1, missing);
  Object.assign(past, { total: scrolled, oldest: scrolled - scrollback, isHidden });
  set(ui.bottom, missing > 500 ? `Skip ${missing} rows` : "Jump to the end");
  showEarlier();
};
const showEarlier = () => {
  ui.earlier.hidden = past.isHidden || past.start <= past.oldest;
  set(ui.earlier, `Show earlier rows (${past.start - past.oldest})`);
};

const requestPast = (first, count) => {
  if (past.isBusy) return;
  past.isBusy = true;
  send(Kind.history, integer(first, 4), integer(Math.min(500, count), 2));
};
const loadEarlier = () => {
  if (ui.earlier.hidden) return;
  session.isFollowing = false;
  requestPast(past.total - past.start + 1, past.start - past.oldest);
};
const scrollUp = () => {
  if (view.scrollTop) view.scrollBy(0, -0.9 * view.clientHeight);
  else loadEarlier();
};

const showPast = (update) => {
  past.isBusy = false;
  const end = (update.scrolled ?? update.available) - update.first + 1;
  const start = end - update.rows.length;
  const elements = (from, to) => update.rows.slice(from, to).map((row) => paintRow(make("div"), row));
  if (start < past.start && end >= past.start) {
    const fromEnd = view.scrollHeight - view.scrollTop;
    const isFirst = past.start === past.end;
    ui.history.prepend(...elements(0, past.start - start));
    past.start = start;
    view.scrollTop = view.scrollHeight - fromEnd - (isFirst ? view.clientHeight / 2 : 0);
  } else if (end > past.end && start <= past.end) {
    ui.history.append(...elements(past.end - start));
    past.end = end;
  }
  showEarlier();
};

// MARK: Input

// Sends input, and keeps it until it is answered.
const enter = (kind, ...parts) => {
  if (!isWritable()) return;
  if (session.time !== null) goLive();
  session.unsent.push([kind, ...parts]);
  sendInput();
  session.isFollowing = true;
  say("");
  follow();
  if (!isLoggedIn) showConnection();
};
// What follows a paste waits for its answer, because the server keeps a limited amount of input.
const sendInput = () => {
  while (session.unsent.length && !session.pending.some(([, kind]) => kind === Kind.paste)) {
    const [kind, ...parts] = session.unsent.shift();
    const input = [kind, integer(++session.sequence, 8), ...parts];
    session.pending.push([session.sequence, ...input]);
    if (session.isWatched) send(...input);
  }
};
const answered = (last) => {
  session.pending = session.pending.filter(([sequence]) => sequence > last);
  sendInput();
};

const held = { Ctrl: false, Alt: false };
const hold = (name, isHeld) => ui[name].ariaPressed = held[name] = isHeld;
const release = () => Object.keys(held).forEach((name) => hold(name, false));

const type = (name, text) => {
  release();
  if (name) enter(Kind.key, name);
  else enter(Kind.input, [0], text.replaceAll("\n", "\r"));
};

const keys = /^(Arrow\w+|Page\w+|Enter|Tab|Escape|Backspace|Delete|Insert|Home|End|F\d+)$/;
// Characters without a control character of their own.
const controls = { "/": "_", "-": "_", 2: "@", 3: "[", 4: "\\", 5: "]", 6: "^", 7: "_", 8: "?" };

// The name of a key for `sessions send --key`, unless it types text.
const keyName = (key, control, alt, shift) => {
  const prefix = (control ? "C-" : "") + (alt ? "M-" : "");
  if (keys.test(key)) return prefix + (shift ? "S-" : "") + key.replace("Arrow", "").replace("Backs", "BS");
  if (!prefix || [...key].length !== 1) return;
  if (key === " ") return prefix + "Space";
  const character = control ? controls[key] ?? key.toLowerCase() : key;
  if (!control || /[@-_a-z?]/.test(character)) return prefix + character;
};

on(field, "keydown", (event) => {
  const { key, ctrlKey, altKey, shiftKey } = event;
  if (event.isComposing || event.keyCode === 229 || event.metaKey) return;
  const isCopy = ctrlKey && (key === "c" || key === "Insert") && !getSelection().isCollapsed;
  const isOfBrowser = isCopy || ctrlKey && shiftKey && /^[a-z]$/i.test(key) || shiftKey && key === "Insert";
  const types = event.getModifierState("AltGraph") || altKey && key.length === 1 && /^(Mac|iP)/.test(navigator.platform);
  const name = !types && keyName(key, ctrlKey || held.Ctrl, altKey || held.Alt, shiftKey);
  if (isOfBrowser || !name) return;
  event.preventDefault();
  if (name === "C-S-Enter") ui.back.focus();
  else if (name === "S-PageUp") scrollUp();
  else if (name === "S-PageDown") view.scrollBy(0, 0.9 * view.clientHeight);
  else type(name);
});

const flush = () => {
  const text = field.value;
  field.value = field.style.width = "";
  if (text) type(keyName(text, held.Ctrl, held.Alt), text);
};

let isDiscarding = false;
on(field, "beforeinput", (event) => {
  // Phones report some keys only by their effect.
  const name = { deleteContentBackward: "BSpace", insertLineBreak: "Enter" }[event.inputType];
  if (!name || event.isComposing || field.value) return;
  event.preventDefault();
  type(name);
});
on(field, "input", ({ isComposing }) => {
  field.style.width = field.value.length * 2 + 2 + "ch";
  // Phones compose each word, but a held Ctrl is meant for its first letter.
  isDiscarding = isComposing && (held.Ctrl || held.Alt);
  if (!isComposing || isDiscarding) flush();
});
on(field, "compositionstart", () => field.classList.add("composing"));
on(field, "compositionend", () => {
  field.classList.remove("composing");
  if (isDiscarding) field.value = "";
  flush();
});
on(field, "blur", () => release());

on(document, "paste", (event) => {
  if (!session.reference || !isWritable()) return;
  event.preventDefault();
  const text = event.clipboardData.getData("text/plain");
  for (const piece of pieces(encode(text))) enter(Kind.paste, piece);
});

// The pieces of a text that fit into a message; neither a character nor the end of a line is split.
const pieces = (bytes) => {
  const list = [];
  for (let start = 0, end; start < bytes.length; start = end) {
    end = Math.min(start + 60000, bytes.length);
    while ((bytes[end] & 0xC0) === 0x80) end--;
    if (bytes[end] === 10 && bytes[end - 1] === 13) end--;
    list.push(bytes.subarray(start, end));
  }
  return list;
};

const focusField = () => field.focus({ preventScroll: true });
on(view, "click", ({ target }) => {
  if (isWritable() && getSelection().isCollapsed && !target.closest("a, button")) focusField();
});
on(document, "keydown", (event) => {
  const { key, target } = event;
  if (!session.reference || target === field || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!isWritable() || target.closest("#timeline")) timelineKey(event);
  else if (key.length === 1 && key !== " " && (target === document.body || target === view)) focusField();
});

// MARK: Key bar

const barKeys = { "↑": "ArrowUp", "↓": "ArrowDown", "←": "ArrowLeft", "→": "ArrowRight", PgUp: "PageUp", PgDn: "PageDown", Esc: "Escape" };
const barLabels = { ...barKeys, "|": "Pipe", "~": "Tilde", "/": "Slash", "-": "Hyphen", Ctrl: "Control" };

const pressKey = (label) => {
  if (label in held) {
    hold(label, !held[label]);
    return focusField();
  }
  const key = label.replace("^", "");
  type(keyName(barKeys[key] ?? key, held.Ctrl || key !== label, held.Alt), label);
};

for (const group of ["Esc Tab Ctrl Alt ↑ ↓ ← →", "^C ^D ^Z ^L Home End PgUp PgDn", "| ~ / -"]) {
  ui.keys.append(make("div", {}, ...group.split(" ").map((label) => {
    const ariaLabel = barLabels[label] ?? label.replace("^", "Control ");
    return ui[label] = make("button", { id: label, ariaLabel, onclick: () => pressKey(label) }, label);
  })));
}
// Without the focus in the field, a phone would close its keyboard.
for (const type of ["pointerdown", "mousedown"]) on(ui.keys, type, (event) => event.preventDefault());

// MARK: Timeline

const duration = () => session.duration ?? Math.max(0, (Date.now() - session.start) / 1000 || 0);

// Requests the screen at a time, or at the next output (1) or marker (2).
const seek = (time, step = 0) => {
  session.time = Math.min(duration(), Math.max(0, time));
  session.wanted = [Kind.seek, integer(Math.round(session.time * 1e6), 8), [step]];
  sendSeek();
};
const sendSeek = () => {
  if (session.wanted && !session.isSeeking && session.isWatched) {
    send(...session.wanted);
    Object.assign(session, { wanted: null, isSeeking: true });
  }
  showPosition();
};
const goLive = () => {
  Object.assign(session, { time: null, wanted: null, isSeeking: false, isPlaying: false });
  send(Kind.seek, integer(0, 8).fill(255));
};

const showTime = (time) => {
  if (time !== null) session.isSeeking = false;
  if (!session.isSeeking && !session.wanted && !session.isPlaying) session.time = time;
  sendSeek();
};

const showPosition = () => {
  const total = duration();
  const time = session.time ?? total;
  Object.assign(ui.position, { max: total, value: time, ariaValueText: durationText(time) });
  set(ui.time, `${durationText(time)} / ${durationText(total)}`);
  set(ui.play, session.isPlaying ? "Pause" : "Play");
  ui.live.hidden = session.duration !== null;
};

const play = () => {
  session.isPlaying = !session.isPlaying;
  if ((session.time ?? Infinity) >= duration()) session.time = 0;
  playOn();
};
const playOn = () => {
  if (!session.isPlaying) return;
  seek(session.time + 0.1);
  session.isPlaying = session.time < duration();
  setTimeout(playOn, 100);
};

// The keys of `vt play`.
const timelineKey = (event) => {
  const { key, target } = event;
  const now = session.time ?? duration();
  const times = { ".": now, "]": now, ArrowLeft: now - 5, ArrowRight: now + 5, Home: 0, End: Infinity };
  if (ui.timeline.hidden || target.closest("button, select") || key !== " " && !(key in times)) return;
  event.preventDefault();
  if (key === " ") return play();
  session.isPlaying = false;
  seek(times[key], { ".": 1, "]": 2 }[key]);
};

on(ui.position, "input", () => {
  session.isPlaying = false;
  seek(+ui.position.value);
});

const download = ({ path, error }) => {
  if (error) say(visible(error.message));
  else if (/^download\/[\w-]+$/.test(path)) make("a", { href: path, download: "" }).click();
};

let announceTimer;

// Announces new lines.
const announce = () => {
  announceTimer = 0;
  const old = session.announced ?? [];
  session.announced = session.rows.map((row) => row.text);
  const added = session.announced.filter((text) => text && !old.includes(text))
    .map((text) => text.slice(old.find((start) => start && text.startsWith(start))?.length ?? 0));
  if (added.length && !choices.isMuted) ui.announcer.replaceChildren(make("p", {}, added.slice(-20).join("\n").slice(-1000)));
};

// MARK: Tools

// Background, text, cursor and the colors 0 to 15.
const solarized = " 073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5 002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3";
const themes = {
  "vscode-dark": "1e1e1e ccc ccc 000 cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5 666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db e5e5e5",
  "default-dark": "000 e5e5e5 e5e5e5 000 cd0000 00cd00 cdcd00 00e cd00cd 00cdcd e5e5e5 7f7f7f f00 0f0 ff0 5c5cff f0f 0ff fff",
  "default-light": "fff 000 000 000 cd3131 00a600 947b00 0451a5 bc3fbc 0598bc bbb 666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db e5e5e5",
  "solarized-dark": "002b36 839496 93a1a1" + solarized,
  "solarized-light": "fdf6e3 657b83 586e75" + solarized,
  "dracula": "282a36 f8f8f2 f8f8f2 21222c f55 50fa7b f1fa8c bd93f9 ff79c6 8be9fd f8f8f2 6272a4 ff6e6e 69ff94 ffffa5 d6acff ff92df a4ffff fff",
  "monokai": "272822 f8f8f2 f8f8f2 272822 f92672 a6e22e fd971f 66d9ef ae81ff a1efe4 f8f8f2 75715e ff5995 bffb47 ffb038 7ff2ff c79aff bafffd fff",
  "nord": "2e3440 d8dee9 eceff4 3b4252 bf616a a3be8c ebcb8b 81a1c1 b48ead 88c0d0 e5e9f0 4c566a bf616a a3be8c ebcb8b 81a1c1 b48ead 8fbcbb eceff4",
  "tokyo-night": "1a1b26 a9b1d6 c0caf5 1a1b26 f7768e 9ece6a e0af68 7aa2f7 bb9af7 7dcfff c0caf5 414868 ff8ea6 b6e682 f8c780 92baff d3b2ff 95e7ff d6deff",
};

const isLight = matchMedia("(prefers-color-scheme: light)");
const applyTheme = () => {
  const theme = Object.hasOwn(themes, choices.theme) ? themes[choices.theme] : themes[isLight.matches ? "default-light" : "vscode-dark"];
  theme.split(" ").forEach((digits, index) => {
    view.style.setProperty("--" + (["theme-back", "theme-front", "accent"][index] ?? `c${index - 3}`), "#" + digits);
  });
};

const showTools = () => {
  const hasKeys = choices.hasKeys ?? isTouch();
  for (const element of [field, ui.fit, ui.keysToggle, ui.leave, ui.done, ui.refuse]) element.hidden = !isWritable();
  ui.keys.hidden = !isWritable() || !hasKeys;
  ui.keysToggle.ariaPressed = hasKeys;
  ui.timelineToggle.ariaPressed = !ui.timeline.hidden;
  ui.announce.ariaPressed = !choices.isMuted;
  ui.menu.ariaExpanded = ui.session.classList.contains("open");
};

const actions = {
  fit, play, live: goLive, earlier: loadEarlier, done: () => answer("done"), refuse: () => answer("refuse"), download: () => send(Kind.download),
  menu: () => ui.session.classList.toggle("open"),
  keysToggle: () => choose("hasKeys", ui.keys.hidden),
  announce: () => choose("isMuted", !choices.isMuted),
  timelineToggle: () => {
    ui.timeline.hidden = !ui.timeline.hidden;
    if (session.time !== null) goLive();
  },
  bottom: () => {
    session.isFollowing = true;
    clearPast(past.total);
    updatePast();
    follow();
  },
  retry: () => [showRoute(), connect()],
};
// After a click with a mouse, keys are for the program again.
const returnsFocus = ["fit", "done", "refuse", "keysToggle", "announce", "bottom", "live"];
for (const id in actions) on(ui[id], "click", ({ detail }) => {
  actions[id]();
  showTools();
  if (detail && returnsFocus.includes(id) && isWritable() && !isTouch()) focusField();
});

ui.theme.append(...["automatic", ...Object.keys(themes)].map((name) => make("option", {}, name)));
ui.theme.value = choices.theme ?? "automatic";
on(ui.theme, "change", () => [choose("theme", ui.theme.value), applyTheme()]);

// MARK: Start

on(ui.filter, "input", showList);
on(isLight, "change", applyTheme);
on(window, "online", () => { if (!socket) connect(); });
on(window, "hashchange", () => {
  ui.session.classList.remove("open");
  if (!takeToken()) return showRoute();
  sessions = null;
  showRoute();
  connect();
});

// A page that was hidden for long may not notice that the connection is lost.
let hiddenAt;
on(document, "visibilitychange", () => {
  if (document.hidden) hiddenAt = Date.now();
  else if (token && (!socket || Date.now() - hiddenAt > 60000)) connect();
});
setInterval(() => [showList(), showPosition()], 1000);

applyTheme();
takeToken();
showRoute();
new ResizeObserver(layOut).observe(view);
connect();
