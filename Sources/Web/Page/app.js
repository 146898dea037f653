"use strict";

// The page of `vt serve`: the list of sessions, and one session. The server's emulator produces the rows; here they
// become elements, and text from a program is only ever set as text. docs/protocol.md describes the frames.

const $ = (id) => document.getElementById(id);
const on = (target, type, action) => target.addEventListener(type, action);
const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const setText = (element, text) => { if (element.textContent !== text) element.textContent = text; };

// Text of others among the page's own: without controls, which might reorder or hide what surrounds it.
const visible = (text) => text.slice(0, 500).replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, " ");

// A browser may refuse to store anything; the page works without.
const stored = (storage, name, value) => {
  try {
    if (value === undefined) return window[storage].getItem(name);
    window[storage].setItem(name, value);
  } catch {}
};

const preferences = JSON.parse(stored("localStorage", "vt") ?? "{}");
const prefer = (name, value) => {
  preferences[name] = value;
  stored("localStorage", "vt", JSON.stringify(preferences));
};

// MARK: Frames

const Kind = {
  failure: 6, input: 17, resize: 18, accepted: 36, exit: 39, result: 66, login: 96, watch: 97, shown: 98, key: 99,
  paste: 100, history: 101, seek: 102, download: 103, welcome: 112, rows: 113, sessions: 114, past: 115, watching: 116,
};

const integer = (value, size) => {
  const bytes = new Uint8Array(size);
  for (; size > 0; value = Math.floor(value / 256)) bytes[--size] = value % 256;
  return bytes;
};

const encode = (text) => new TextEncoder().encode(text);

const frame = (kind, ...parts) => {
  const bytes = [[kind], ...parts].flatMap((part) => Array.from(typeof part === "string" ? encode(part) : part));
  return new Uint8Array([...integer(bytes.length, 4), ...bytes]);
};

class Reader {
  constructor(buffer) {
    this.bytes = new Uint8Array(buffer);
    this.position = 4;
  }
  take(size) { return this.bytes.subarray(this.position, this.position += size); }
  integer(size) { return this.take(size).reduce((value, byte) => value * 256 + byte, 0); }
  text(size) { return new TextDecoder().decode(this.take(size)); }
  string() { return this.text(this.integer(4)); }
  json() { return JSON.parse(this.text(this.bytes.length)); }
}

// MARK: Connection

let token = null;
let role = "read";
let socket = null;
let isLoggedIn = false;
let attempts = 0;
let timer = 0;

// Title and text for the close codes after which the page does not reconnect, and whether the link may work later.
const endings = {
  4401: ["This link is not valid", "It is unknown or has expired, or the server was restarted. Ask for a new link."],
  4403: ["This link was revoked", "Ask for a new link."],
  4408: ["The login timed out", "The connection may be too slow.", true],
  4429: ["Too many failed logins", "Wait a minute.", true],
  4503: ["Too many pages are connected", "Close another page of this server.", true],
};

// Moves the token from the address, which a browser keeps in its history, to the storage of this tab.
const takeToken = () => {
  const given = /^#k=([\w-]+)$/.exec(location.hash)?.[1];
  if (given) {
    stored("sessionStorage", "vt", given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  token = given ?? stored("sessionStorage", "vt");
  return given;
};

const connect = () => {
  clearTimeout(timer);
  isLoggedIn = session.isWatched = false;
  if (!token) return notice("A link is needed", "Open a link printed by 'vt serve' or 'vt share'.");
  const address = new URL("ws", location.href.split("#")[0]);
  address.protocol = address.protocol.replace("http", "ws");
  socket?.close();
  const current = socket = new WebSocket(address, "vt.1");
  socket.binaryType = "arraybuffer";
  showConnection("Connecting…");
  socket.onopen = () => current.send(frame(Kind.login, token));
  socket.onmessage = ({ data }) => { if (current === socket) receive(new Reader(data)); };
  socket.onclose = ({ code }) => { if (current === socket) disconnected(code); };
};

const send = (...parts) => { if (isLoggedIn) socket.send(frame(...parts)); };

const disconnected = (code) => {
  isLoggedIn = session.isWatched = false;
  socket = null;
  if ([1001, 1006, 1011, 1012].includes(code)) {
    return countDown(Date.now() + 1000 * Math.min(32, 2 ** attempts++) * (0.7 + 0.6 * Math.random()));
  }
  const [title, text, mayWorkLater] = endings[code] ?? ["The server closed the connection", `Code ${code}.`, true];
  if (!mayWorkLater) stored("sessionStorage", "vt", token = "");
  leaveSession();
  notice(title, text, mayWorkLater);
};

const countDown = (time) => {
  const left = time - Date.now();
  if (left <= 0) return connect();
  showConnection(`Reconnecting in ${Math.ceil(left / 1000)} s`, "The connection was lost");
  timer = setTimeout(countDown, Math.min(1000, left), time);
};

const showConnection = (text, status = text) => {
  for (const element of document.querySelectorAll(".connection")) {
    element.textContent = text;
    element.classList.toggle("lost", text !== "Connected");
  }
  setText($("status"), status);
};

const receive = (reader) => {
  const kind = reader.integer(1);
  if (kind === Kind.welcome) return welcome(reader.json());
  if (kind === Kind.sessions) return updateList(reader.json());
  if (kind === Kind.watching) return startWatching(reader.integer(8), reader.json());
  if (kind === Kind.failure) return failed(reader);
  if (!session.isWatched) return;
  if (kind === Kind.rows) showRows(reader.json());
  if (kind === Kind.past) showPast(reader.json());
  if (kind === Kind.accepted) answered(reader.integer(8));
  if (kind === Kind.exit) showExit(reader);
  if (kind === Kind.result) download(reader.json());
};

const welcome = (document) => {
  isLoggedIn = true;
  role = document.role;
  if (document.key) stored("sessionStorage", "vt", token = document.key);
  showConnection("Connected");
  timer = setTimeout(() => attempts = 0, 5000);
  showRoute();
};

// MARK: Views

const show = (name) => { for (const view of ["notice", "list", "session"]) $(view).hidden = view !== name; };

const notice = (title, text, canRetry) => {
  $("notice-title").textContent = title;
  $("notice-text").textContent = text;
  $("retry").hidden = !canRetry;
  setText($("status"), `${title}. ${text}`);
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

let sessions = null;
const items = new Map();

const updateList = (list) => {
  const isFirst = !sessions;
  sessions = list;
  if (isFirst && role !== "owner" && list.length === 1 && !route()) location.replace(address(list[0]));
  showList();
  showState();
};

const address = (entry) => "#/" + encodeURIComponent(entry.session);

const showList = () => {
  if (!sessions) return;
  const words = $("filter").value.toLowerCase().split(/\s+/);
  const shown = sessions.map((entry) => ({ ...entry, text: stateText(entry), line: commandText(entry) }))
    .filter((entry) => words.every((word) => `${entry.session} ${entry.text} ${entry.line}`.toLowerCase().includes(word)))
    .sort((a, b) => (b.state === "running") - (a.state === "running") || (b.created_at > a.created_at ? 1 : -1));
  const elements = shown.map(listItem);
  const list = $("sessions");
  if (elements.length !== list.children.length || elements.some((item, index) => item !== list.children[index])) {
    list.replaceChildren(...elements);
  }
  setText($("count"), !sessions.length ? "No sessions. Start one with 'vt sessions create'."
    : shown.length ? `${shown.length} of ${sessions.length}` : "No session matches.");
};

// The element of a session is kept, and with it the focus.
const listItem = (entry) => {
  const names = ["name", "state", "command", "age"];
  const item = items.get(entry.session) ?? make("li", {}, make("a", { href: address(entry) },
    ...names.map((className) => make("span", { className }))));
  items.set(entry.session, item);
  const [name, state, command, age] = item.firstChild.children;
  setText(name, visible(entry.session));
  setText(state, entry.text);
  state.dataset.state = stateKind(entry);
  setText(command, entry.line);
  setText(age, entry.duration === undefined ? ageText(entry.created_at) : durationText(entry.duration));
  return item;
};

const stateText = ({ kind, exit, state }) => (kind === "recording" ? kind : exit ? exitText(exit) : state);
const stateKind = ({ kind, exit, state }) => kind === "recording" ? kind : exit ? (exit.code ?? 1) && "failed" : state;
const exitText = (exit) => (exit.signal ? `killed by ${exit.signal}` : `exited with ${exit.code}`);

const commandText = (entry) => visible((entry.command ?? [])
  .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" "));

const ageText = (date) => {
  const seconds = Math.max(0, (Date.now() - Date.parse(date)) / 1000);
  const [unit, size] = [["d", 86400], ["h", 3600], ["m", 60]].find(([, size]) => seconds >= size) ?? ["s", 1];
  return Math.floor(seconds / size) + unit;
};

const durationText = (seconds) => {
  const pad = (value) => String(Math.floor(value)).padStart(2, "0");
  return (seconds >= 3600 ? Math.floor(seconds / 3600) + ":" : "") + pad(seconds / 60 % 60) + ":" + pad(seconds % 60);
};

// MARK: Session

const session = {};

const isWritable = () => session.role !== "read" && !session.exit;

const leaveSession = () => {
  Object.assign(session, {
    reference: "", token: null, role: "read", isWatched: false, exit: null, sequence: 0, pending: [], screen: null,
    rows: [], isFollowing: true,
  });
  Object.assign(timeline, { duration: null, start: 0, time: null, wanted: null, isBusy: false, isPlaying: false });
  clearPast(0);
  announced = null;
  lines.replaceChildren();
  for (const id of ["title", "announcer", "state"]) $(id).textContent = "";
  cursor.hidden = $("timeline").hidden = true;
  say("");
};

const openSession = (reference) => {
  if (session.reference !== reference) {
    leaveSession();
    Object.assign(session, { reference, token: crypto.getRandomValues(new Uint8Array(16)) });
    setText($("name"), visible(reference));
    document.title = `${visible(reference)} – vt`;
  }
  show("session");
  showState();
  session.isWatched = false;
  send(Kind.watch, session.token, reference);
};

const startWatching = (lastInput, document) => {
  session.isWatched = true;
  session.role = document.role;
  past.isBusy = timeline.isBusy = false;
  timeline.duration = document.duration ?? null;
  timeline.start = Date.parse(document.started_at);
  if (timeline.duration !== null) $("timeline").hidden = false;
  if (timeline.time !== null) seek(timeline.time);
  answered(lastInput);
  for (const [, ...parts] of session.pending) send(...parts);
  showState();
  if (!session.screen && matchMedia("(pointer: fine)").matches) (isWritable() ? field : view).focus();
};

const showState = () => {
  const entry = sessions?.find((entry) => entry.session === session.reference);
  const known = session.exit ? session : entry ?? { state: "" };
  const isReadOnly = session.isWatched && session.role === "read" && known.state === "running";
  setText($("state"), stateText(known) + (isReadOnly ? ", read-only" : ""));
  $("state").dataset.state = stateKind(known);
  showTools();
};

const showExit = (reader) => {
  reader.integer(8);
  const isSignal = reader.integer(1);
  session.exit = isSignal ? { signal: reader.string() } : { code: reader.integer(4) };
  session.pending = [];
  say(`The program ${exitText(session.exit)}.`, true);
  showState();
  showCursor();
};

let messageTimer = 0;
const say = (text, isLasting) => {
  clearTimeout(messageTimer);
  setText($("message"), text);
  $("message").hidden = !text;
  if (text && !isLasting) messageTimer = setTimeout(say, 8000, "");
};

// A failure is the answer to `watch`, or to the oldest unanswered input.
const failed = (reader) => {
  const [, text, hint] = [reader.string(), reader.string(), reader.string()].map(visible);
  if (session.isWatched) session.pending.shift();
  say(text.charAt(0).toUpperCase() + text.slice(1) + (hint && ` (${hint})`), !session.isWatched);
};

// MARK: Screen

const [view, lines, cursor, field] = ["view", "lines", "cursor", "field"].map($);
const emptyRow = { text: "", runs: [] };

const showRows = (update) => {
  const { columns, rows } = update.size;
  const isResized = columns !== session.screen?.size.columns || rows !== lines.children.length;
  if (isResized) clearPast(0);
  session.screen = update;
  $("screen").classList.toggle("reversed", update.modes.includes("reverse-video"));
  while (lines.children.length > rows) lines.lastChild.remove();
  while (lines.children.length < rows) lines.append(make("div"));
  session.rows.length = rows;
  if (update.full) {
    session.rows.fill(emptyRow);
    for (const element of lines.children) paintRow(element, emptyRow);
  }
  for (const row of update.rows) paintRow(lines.children[row.at], session.rows[row.at] = row);
  setText($("title"), visible(update.title ?? ""));
  if (isResized) layOut();
  showTime(update.time ?? null);
  updatePast();
  showCursor();
  follow();
  announced ??= session.rows.map((row) => row.text);
  announcementTimer ||= setTimeout(announce, 1000);
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
  if (row.size) element.replaceChildren(make("div", {}, ...nodes));
  else element.replaceChildren(...(nodes.length ? nodes : [make("br")]));
};

const runNode = (run) => {
  const style = runStyle(run);
  const href = /^(https?:\/\/|mailto:)/i.test(run.link) && URL.parse(run.link)?.href;
  const parts = pieces(run.text, run.width).map(([text, width]) => {
    if (width === null) return text;
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

// Colors and attributes

const attributeStyles = { bold: "font-weight:bold;", italic: "font-style:italic;", blink: "animation:blink 1s infinite;" };
const styles = new Map();

const runStyle = (run) => {
  const key = [run.foreground, run.background, run.attributes, run.underline, run.underline_color].join();
  if (key === ",,,,") return "";
  if (styles.size > 4096) styles.clear();
  if (!styles.has(key)) styles.set(key, makeStyle(run, run.attributes ?? []));
  return styles.get(key);
};

const makeStyle = (run, attributes) => {
  const has = (name) => attributes.includes(name);
  let [front, back] = [color(run.foreground), color(run.background)];
  if (has("inverse")) [front, back] = [back ?? "var(--back)", front ?? "var(--front)"];
  if (has("dim")) front = `color-mix(in srgb,${front ?? "var(--front)"} 67%,${back ?? "var(--back)"})`;
  if (has("concealed")) front = "transparent";
  const decoration = [run.underline && "underline", has("struck") && "line-through", has("overlined") && "overline"];
  const shape = { double: "double", curly: "wavy", dotted: "dotted", dashed: "dashed" }[run.underline];
  return (front ? `color:${front};` : "") + (back ? `background:${back};` : "")
    + attributes.map((name) => attributeStyles[name] ?? "").join("")
    + `text-decoration:${[...decoration, shape, color(run.underline_color)].filter(Boolean).join(" ")}`;
};

const color = (value) => {
  if (typeof value === "string") return /^#[0-9a-f]{6}$/.test(value) ? value : null;
  if (value === undefined) return null;
  if (value < 16) return `var(--c${value})`;
  if (value >= 232) return `rgb(${Array(3).fill(value * 10 - 2312)})`;
  return `rgb(${[36, 6, 1].map((place) => Math.floor((value - 16) / place) % 6).map((level) => level && 55 + level * 40)})`;
};

// Characters and columns

const canvas = make("canvas").getContext("2d");
const segmenter = new Intl.Segmenter();
const glyphs = new Map();
const isPlain = (text) => /^[ -~]*$/.test(text);
const isReordered = (text) => /[\u0590-\u08FF\u200E-\u202E\u2066-\u2069\uFB1D-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
  .test(text);
const isWide = (text) => /^\p{Emoji_Presentation}|\uFE0F|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u
  .test(text);

// Splits text of this width into [text, width]. The width is null for characters that keep their columns without a box.
const pieces = (text, width) => {
  if (isPlain(text)) return [[text, null]];
  const parts = [];
  for (const [cluster, columns] of clusters(text, width)) {
    const isFree = keepsColumns(cluster, columns);
    if (isFree && parts.at(-1)?.[1] === null) parts.at(-1)[0] += cluster;
    else parts.push([cluster, isFree ? null : columns]);
  }
  return parts;
};

// The clusters of a run with their widths, of which only the sum is known.
const clusters = (text, width) => {
  const known = (cluster) => (isPlain(cluster) ? 1 : /^\p{Cf}/u.test(cluster) ? 0 : null);
  const list = Array.from(segmenter.segment(text), ({ segment }) => [segment, known(segment)]);
  const others = list.filter(([, columns]) => columns === null);
  const mean = (width - list.reduce((sum, [, columns]) => sum + columns, 0)) / others.length;
  for (const item of others) item[1] = mean === 1 || mean === 2 ? mean : isWide(item[0]) ? 2 : 1;
  return list.reduce((sum, [, columns]) => sum + columns, 0) === width ? list : [[text, width]];
};

// Whether the browser's glyph is exactly as wide as these columns.
const keepsColumns = (cluster, width) => {
  if (isPlain(cluster)) return true;
  if (glyphs.size > 10000) glyphs.clear();
  if (!glyphs.has(cluster)) {
    canvas.font = "100px " + getComputedStyle(lines).fontFamily;
    glyphs.set(cluster, canvas.measureText(cluster).width / canvas.measureText("0").width);
  }
  return Math.abs(glyphs.get(cluster) - width) < 0.002 && !isReordered(cluster);
};

const showCursor = () => {
  if (!session.screen) return;
  const { column, row, visible, shape, blinking } = session.screen.cursor;
  const { runs, size } = session.rows[row] ?? emptyRow;
  const run = runs.find((run) => column >= run.column && column < run.column + run.width);
  let end = run?.column;
  const [text, width] = run && clusters(run.text, run.width).find(([, width]) => column < (end += width)) || ["", 1];
  const scale = size ? 2 : 1;
  cursor.hidden = !visible || session.exit !== null;
  cursor.className = shape + (blinking ? " blinking" : "");
  Object.assign(cursor.style, { left: column * scale + "ch", top: row * lineHeight + "px", width: width * scale + "ch" });
  setText(cursor, shape === "block" && !size ? text : "");
  Object.assign(field.style, { left: cursor.style.left, top: cursor.style.top });
};

// Size

let lineHeight = 0;
let cellWidth = 0;

const measure = (size) => {
  $("probe").style.fontSize = size + "px";
  lineHeight = Math.round(size * 1.17);
  cellWidth = $("probe").getBoundingClientRect().width / 100;
};

const available = () => [view.clientWidth - 16, view.clientHeight - 16];
const preferredSize = () => preferences.size ?? 14;

// Chooses the preferred size of text or, unless the user has set it, a smaller one so that all columns fit.
const layOut = () => {
  if (!session.screen) return;
  const { columns } = session.screen.size;
  let size = preferredSize();
  for (measure(size); !preferences.size && size > 7 && cellWidth * columns > available()[0]; measure(size)) size -= 0.5;
  view.style.setProperty("--size", size + "px");
  view.style.setProperty("--line", lineHeight + "px");
  $("screen").style.width = columns + "ch";
  showCursor();
  follow();
};

const fit = () => {
  measure(preferredSize());
  const [width, height] = available();
  send(Kind.resize, integer(Math.max(2, width / cellWidth), 2), integer(Math.max(2, height / lineHeight), 2));
  layOut();
};

const changeSize = (step) => {
  prefer("size", Math.min(32, Math.max(6, Math.round(parseFloat(getComputedStyle(lines).fontSize)) + step)));
  layOut();
};

// Scrolling

// Keeps the cursor in view, unless the user reads rows above the screen.
const follow = () => {
  $("bottom").hidden = session.isFollowing;
  if (!session.isFollowing || !session.screen) return;
  const { row, column } = session.screen.cursor;
  const top = $("screen").offsetTop;
  const clamp = (value, least, most) => Math.max(least, Math.min(value, most));
  const least = Math.max(top - 8, top + (row + 1.5) * lineHeight - view.clientHeight);
  view.scrollTop = $("screen").offsetHeight <= view.clientHeight ? view.scrollHeight
    : clamp(view.scrollTop, least, top + row * lineHeight);
  const left = column * cellWidth;
  if (document.activeElement === field) {
    view.scrollLeft = clamp(view.scrollLeft, left + 4 * cellWidth - view.clientWidth, left);
  }
};

on(view, "scroll", () => {
  const wasFollowing = session.isFollowing;
  session.isFollowing = view.scrollTop >= Math.min($("screen").offsetTop - 8, view.scrollHeight - view.clientHeight) - 4;
  $("bottom").hidden = session.isFollowing;
  if (session.isFollowing !== wasFollowing) updatePast();
  if (view.scrollTop < 200 && past.end > past.start) loadEarlier();
});
on(view, "wheel", ({ deltaY }) => { if (deltaY < 0 && view.scrollTop === 0) loadEarlier(true); });

// MARK: Rows above the screen
// They are numbered from the first that scrolled off the screen; those in start..<end are in the document.

const past = { start: 0, end: 0, oldest: 0, total: 0, isBusy: false, isAsked: false };

const clearPast = (total) => {
  Object.assign(past, { start: total, end: total });
  $("history").replaceChildren();
};

const updatePast = () => {
  if (!session.screen) return;
  const { scrollback, scrolled = scrollback, alternate } = session.screen;
  const isHidden = alternate || timeline.time !== null;
  const isMissing = scrolled > past.end;
  if (isHidden || scrolled < past.end || isMissing && (session.isFollowing || past.start === past.end)) clearPast(scrolled);
  Object.assign(past, { total: scrolled, oldest: scrolled - scrollback });
  const earlier = isHidden ? 0 : past.start - past.oldest;
  $("earlier").hidden = earlier <= 0;
  setText($("earlier"), `Show earlier rows (${earlier})`);
  const missing = scrolled - past.end;
  if (missing > 0 && missing <= 500) requestPast(1, missing);
  $("missing").hidden = missing <= 500;
  setText($("missing"), `${missing} rows are not shown`);
};

const requestPast = (first, count) => {
  if (past.isBusy || !session.isWatched) return;
  past.isBusy = true;
  send(Kind.history, integer(first, 4), integer(count, 2));
};

const loadEarlier = (isAsked = false) => {
  if ($("earlier").hidden) return;
  past.isAsked ||= isAsked;
  requestPast(past.total - past.start + 1, Math.min(500, past.start - past.oldest));
};

const showPast = (update) => {
  past.isBusy = false;
  const end = (update.scrolled ?? update.available) - update.first + 1;
  const start = end - update.rows.length;
  const elements = (rows) => rows.map((row) => {
    const element = make("div");
    paintRow(element, row);
    return element;
  });
  if (start < past.start && end >= past.start) {
    const fromEnd = view.scrollHeight - view.scrollTop;
    $("history").prepend(...elements(update.rows.slice(0, past.start - start)));
    past.start = start;
    if (past.isAsked) session.isFollowing = false;
    view.scrollTop = view.scrollHeight - fromEnd - (past.isAsked ? view.clientHeight / 2 : 0);
    past.isAsked = false;
  } else if (end > past.end && start <= past.end) {
    $("history").append(...elements(update.rows.slice(past.end - start)));
    past.end = end;
  } else {
    return;
  }
  updatePast();
};

// MARK: Input

// Sends input, and keeps it until it is answered.
const enter = (kind, ...parts) => {
  if (!isWritable()) return;
  if (timeline.time !== null) goLive();
  const input = [kind, integer(++session.sequence, 8), ...parts];
  session.pending.push([session.sequence, ...input]);
  if (session.isWatched) send(...input);
  session.isFollowing = true;
  follow();
};

const answered = (last) => session.pending = session.pending.filter(([sequence]) => sequence > last);

const enterText = (text) => enter(Kind.input, [0], text.replaceAll("\n", "\r"));
const enterKey = (name) => enter(Kind.key, name);

const enterPaste = (text) => {
  if (encode(text).length > 60000) say("The paste is not sent: it has more than 60,000 bytes.");
  else if (text) enter(Kind.paste, text);
};

const held = { Ctrl: false, Alt: false };

const hold = (name, isHeld) => {
  held[name] = isHeld;
  $(name).ariaPressed = isHeld;
};

const releaseHeld = () => Object.keys(held).forEach((name) => hold(name, false));

const keyNames = {
  ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right", Enter: "Enter", Tab: "Tab", Escape: "Escape",
  Backspace: "BSpace", Delete: "Delete", Insert: "Insert", Home: "Home", End: "End", PageUp: "PageUp", PageDown: "PageDown",
};
// What terminals send for Ctrl with a character that has no control character of its own.
const controls = { " ": "Space", "/": "_", "-": "_", 2: "@", 3: "[", 4: "\\", 5: "]", 6: "^", 7: "_", 8: "?" };

// The name of a key for `sessions send --key`; nothing if the key types text, or means nothing to a terminal.
const keyName = (key, control, alt, shift) => {
  const named = keyNames[key] ?? /^F([1-9]|1[0-2])$/.exec(key)?.[0];
  const prefix = (control ? "C-" : "") + (alt ? "M-" : "");
  if (named) return prefix + (shift && named === "Tab" ? "BTab" : (shift ? "S-" : "") + named);
  if (!prefix || Array.from(key).length !== 1) return;
  const character = control ? controls[key] ?? key.toLowerCase() : key === " " ? "Space" : key;
  if (!control || /^([@-_a-z?]|Space)$/.test(character)) return prefix + character;
};

on(field, "keydown", (event) => {
  const { key, ctrlKey, altKey, shiftKey } = event;
  if (event.isComposing || event.keyCode === 229 || event.metaKey || key === "Dead") return;
  const page = shiftKey && !ctrlKey && { PageUp: -1, PageDown: 1 }[key];
  const isCopy = ctrlKey && (key === "c" || key === "Insert") && !getSelection().isCollapsed;
  const isOfBrowser = isCopy || ctrlKey && shiftKey && /^[a-z]$/i.test(key) || shiftKey && key === "Insert";
  const types = event.getModifierState("AltGraph") || /^(Mac|iP)/.test(navigator.platform) && altKey && key.length === 1;
  const name = !types && keyName(key, ctrlKey || held.Ctrl, altKey || held.Alt, shiftKey);
  if (isOfBrowser || !name) return;
  event.preventDefault();
  if (ctrlKey && shiftKey && key === "Enter") return $("back").focus();
  if (page) return page < 0 && !view.scrollTop ? loadEarlier(true) : view.scrollBy(0, page * view.clientHeight * 0.9);
  releaseHeld();
  enterKey(name);
});

// Sends the text in the field, and empties the field.
const flush = () => {
  const text = field.value;
  field.value = field.style.width = "";
  if (!text) return;
  const name = keyName(text, held.Ctrl, held.Alt);
  releaseHeld();
  if (name) enterKey(name);
  else enterText(text);
};

let isDiscarding = false;

on(field, "beforeinput", (event) => {
  // The keyboards of phones report some keys only by their effect.
  const name = { deleteContentBackward: "BSpace", insertLineBreak: "Enter" }[event.inputType];
  if (!name || event.isComposing || field.value) return;
  event.preventDefault();
  enterKey(name);
});
on(field, "input", ({ isComposing }) => {
  field.style.width = field.value.length * 2 + 2 + "ch";
  // The keyboards of phones compose each word, but a held Ctrl is meant for its first letter.
  isDiscarding = isComposing && (held.Ctrl || held.Alt);
  if (!isComposing || isDiscarding) flush();
});
on(field, "compositionstart", () => field.classList.add("composing"));
on(field, "compositionend", () => {
  field.classList.remove("composing");
  if (isDiscarding) field.value = "";
  flush();
});
on(field, "blur", releaseHeld);

on(document, "paste", (event) => {
  if (!session.reference || !isWritable()) return;
  event.preventDefault();
  enterPaste(event.clipboardData.getData("text/plain"));
});

on(view, "click", ({ target }) => {
  if (isWritable() && getSelection().isCollapsed && !target.closest("a, button")) field.focus({ preventScroll: true });
});

on(document, "keydown", (event) => {
  const { key, target } = event;
  if (!session.reference || target === field || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!isWritable() || target.closest("#timeline")) return timelineKey(event);
  const isTyped = key.length === 1 && key !== " " && (target === document.body || target === view);
  if (isTyped) field.focus({ preventScroll: true });
});

// MARK: Key bar

const keyGroups = ["Esc Tab Ctrl Alt ↑ ↓ ← →", "^C ^D ^Z ^L Home End PgUp PgDn", "| ~ / -"];
const barKeys = {
  "↑": "ArrowUp", "↓": "ArrowDown", "←": "ArrowLeft", "→": "ArrowRight", PgUp: "PageUp", PgDn: "PageDown", Esc: "Escape",
};
const barLabels = { "|": "Pipe", "~": "Tilde", "/": "Slash", "-": "Hyphen", Ctrl: "Control" };

const pressKey = (label) => {
  if (label in held) {
    hold(label, !held[label]);
    return field.focus({ preventScroll: true });
  }
  const key = label.replace(/^\^/, "");
  const name = keyName(barKeys[key] ?? key, held.Ctrl || key !== label, held.Alt);
  releaseHeld();
  if (name) enterKey(name);
  else enterText(label);
};

for (const group of keyGroups) {
  $("keys").append(make("div", {}, ...group.split(" ").map((label) => {
    const button = make("button", { type: "button", id: label, onclick: () => pressKey(label) }, label);
    button.ariaLabel = barLabels[label] ?? barKeys[label]?.replace(/Arrow|Page/, "$& ") ?? label.replace("^", "Control ");
    return button;
  })));
}
// A press must not take the focus from the field: a phone would close its keyboard.
on($("keys"), "pointerdown", (event) => event.preventDefault());
on($("keys"), "mousedown", (event) => event.preventDefault());

// MARK: Timeline

const timeline = {};

const duration = () => timeline.duration ?? Math.max(0, (Date.now() - timeline.start) / 1000 || 0);

// Requests the screen at a time, or at the next output (step 1) or marker (step 2) after it.
const seek = (time, step = 0) => {
  timeline.time = Math.min(duration(), Math.max(0, time));
  timeline.wanted = [Kind.seek, integer(timeline.time * 1e6, 8), [step]];
  sendSeek();
  showPosition();
};

const sendSeek = () => {
  if (!timeline.wanted || timeline.isBusy || !session.isWatched) return;
  send(...timeline.wanted);
  Object.assign(timeline, { wanted: null, isBusy: true });
};

const goLive = () => {
  Object.assign(timeline, { time: null, wanted: null, isBusy: false, isPlaying: false });
  send(Kind.seek, integer(0, 8).fill(255));
  showPosition();
};

// Called for each screen, with its time unless it is live.
const showTime = (time) => {
  if (time !== null || !timeline.isBusy) {
    timeline.isBusy = false;
    if (!timeline.wanted) timeline.time = time;
    sendSeek();
  }
  showPosition();
};

const showPosition = () => {
  const total = duration();
  const time = timeline.time ?? total;
  Object.assign($("position"), { max: total, value: time, ariaValueText: durationText(time) });
  setText($("time"), `${durationText(time)} / ${durationText(total)}`);
  setText($("play"), timeline.isPlaying ? "Pause" : "Play");
  $("live").hidden = timeline.duration !== null;
  $("live").disabled = timeline.time === null;
};

const play = (isPlaying) => {
  timeline.isPlaying = isPlaying;
  timeline.from = (timeline.time ?? Infinity) < duration() - 0.01 ? timeline.time : 0;
  timeline.since = performance.now();
  playOn();
};

const playOn = () => {
  if (timeline.isPlaying) {
    const time = timeline.from + (performance.now() - timeline.since) / 1000;
    timeline.isPlaying = time < duration();
    seek(time);
    setTimeout(playOn, 100);
  }
  showPosition();
};

// The keys of `vt play`.
const timelineKey = (event) => {
  const now = timeline.time ?? duration();
  const action = {
    " ": () => play(!timeline.isPlaying), ".": () => seek(now, 1), "]": () => seek(now, 2),
    ArrowLeft: () => seek(now - 5), ArrowRight: () => seek(now + 5), Home: () => seek(0), End: () => seek(Infinity),
  }[event.key];
  if (!action || $("timeline").hidden || event.target.closest("select, button, #tools")) return;
  event.preventDefault();
  if (event.key !== " ") timeline.isPlaying = false;
  action();
};

on($("position"), "input", () => {
  timeline.isPlaying = false;
  seek(Number($("position").value));
});

const download = ({ path, error }) => {
  if (error) say(visible(error.message));
  else if (/^download\/[\w-]+$/.test(path)) make("a", { href: path, download: "" }).click();
};

// MARK: Announcements

let announced = null;
let announcementTimer = 0;

// Announces the lines that are new since the last announcement.
const announce = () => {
  announcementTimer = 0;
  const old = announced;
  announced = session.rows.map((row) => row.text);
  if (preferences.isMuted) return;
  const added = announced.map((text, at) => old.includes(text) ? "" : text.slice(text.startsWith(old[at]) ? old[at].length : 0))
    .filter((text) => text.trim());
  if (added.length) $("announcer").replaceChildren(make("p", {}, added.slice(-20).join("\n").slice(-1000)));
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
  const theme = themes[preferences.theme] ?? themes[isLight.matches ? "default-light" : "vscode-dark"];
  theme.split(" ").forEach((digits, index) => {
    view.style.setProperty("--" + (["theme-back", "theme-front", "accent"][index] ?? `c${index - 3}`), "#" + digits);
  });
};

const showTools = () => {
  const hasKeys = preferences.hasKeys ?? matchMedia("(pointer: coarse)").matches;
  for (const id of ["field", "fit", "keys-toggle", "leave"]) $(id).hidden = !isWritable();
  $("keys").hidden = !isWritable() || !hasKeys;
  $("keys-toggle").ariaPressed = hasKeys;
  $("timeline-toggle").ariaPressed = !$("timeline").hidden;
  $("announce").ariaPressed = !preferences.isMuted;
};

const toggleMenu = (isOpen) => {
  $("session").classList.toggle("open", isOpen);
  $("menu").ariaExpanded = isOpen;
};

const actions = {
  fit, play: () => play(!timeline.isPlaying), live: goLive, download: () => send(Kind.download),
  smaller: () => changeSize(-1), larger: () => changeSize(1), menu: () => toggleMenu($("menu").ariaExpanded !== "true"),
  earlier: () => loadEarlier(true),
  "keys-toggle": () => prefer("hasKeys", $("keys").hidden),
  announce: () => prefer("isMuted", !preferences.isMuted),
  "timeline-toggle": () => {
    $("timeline").hidden = !$("timeline").hidden;
    if (timeline.time !== null) goLive();
  },
  bottom: () => {
    session.isFollowing = true;
    clearPast(past.total);
    updatePast();
    follow();
  },
  retry: () => {
    showRoute();
    connect();
  },
};
for (const [id, action] of Object.entries(actions)) {
  on($(id), "click", () => {
    action();
    showTools();
  });
}

$("theme").append(...["automatic", ...Object.keys(themes)].map((name) => make("option", {}, name)));
$("theme").value = preferences.theme ?? "automatic";
on($("theme"), "change", () => {
  prefer("theme", $("theme").value);
  applyTheme();
});

// MARK: Start

on($("filter"), "input", showList);
on(isLight, "change", applyTheme);
on(window, "online", () => { if (!socket) connect(); });
on(window, "hashchange", () => {
  toggleMenu(false);
  if (!takeToken()) return showRoute();
  sessions = null;
  showRoute();
  connect();
});

// A connection may be lost unnoticed while the page is hidden for longer than the server waits for an answer.
let hiddenAt = Infinity;
on(document, "visibilitychange", () => {
  if (!document.hidden && token && (!socket || Date.now() - hiddenAt > 60000)) connect();
  hiddenAt = document.hidden ? Date.now() : Infinity;
});
setInterval(() => {
  showList();
  showPosition();
}, 1000);

applyTheme();
takeToken();
showRoute();
new ResizeObserver(layOut).observe(view);
connect();
