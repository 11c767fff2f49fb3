const data = JSON.parse(document.getElementById("pingce-data").textContent);
const page = document.documentElement;
const models = data.models;
const colours = 8;
const colour = (at) => "m" + (at % colours);
const word = (key) => data.words[key] || [key, key];
const titled = (name) => (Object.hasOwn(data.names, name) ? data.names[name] : same(name));
const same = (text) => [String(text), String(text)];
const chinese = () => page.dataset.lang === "zh";

// Elements. Text reaches the page as text nodes only; a pair [en, zh] becomes two spans of which the style shows one.
const drawn = "http://www.w3.org/2000/svg";
function fill(node, inside) {
  for (const part of inside) {
    if (part === null || part === undefined || part === false) continue;
    node.append(part instanceof Node ? part : document.createTextNode(String(part)));
  }
  return node;
}
function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  return node;
}
const el = (tag, attributes, ...inside) => fill(set(document.createElement(tag), attributes), inside);
const shape = (tag, attributes, ...inside) => fill(set(document.createElementNS(drawn, tag), attributes), inside);
function say(pair, make = el, tag = "span") {
  if (pair[0] === pair[1]) return document.createTextNode(pair[0]);
  const both = document.createDocumentFragment();
  both.append(make(tag, { lang: "en" }, pair[0]), make(tag, { lang: "zh" }, pair[1]));
  return both;
}
const said = (key) => say(word(key));
const isolated = (text) => el("bdi", {}, text);
const modelName = (at) => el("span", { class: "model " + colour(at) }, el("i"), isolated(models[at]));
const join = (...pairs) => [0, 1].map((at) => pairs.map((pair) => (Array.isArray(pair) ? pair[at] : pair)).join(""));

// Attributes in two languages follow the switch.
const spoken = [];
function speak(node, pair, attribute = "aria-label") {
  spoken.push([node, pair, attribute]);
  node.setAttribute(attribute, pair[chinese() ? 1 : 0]);
  return node;
}

// Numbers, as the tables of the page write them.
const grouped = (text) => text.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
function shown(value, places = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size < 1e-9) return (0).toFixed(places);
  if (Number.isInteger(value) && size >= 1000) return grouped(String(value));
  if (size && (size < 10 ** -(places - 1) || size >= 1e6)) return brief(value);
  if (size < 1000) return value.toFixed(places);
  const [whole, rest] = value.toFixed(2).split(".");
  return grouped(whole) + "." + rest;
}
const brief = (value) => String(Number(value.toPrecision(4)));
const count = (value) => (Number.isInteger(value) ? grouped(String(value)) : shown(value));
function gap(value, places = 4) {
  if (value === null) return "–";
  const size = Math.abs(value);
  const written = size >= 1e-9 && size < 0.5 * 10 ** -places ? size.toExponential(1) : size < 1000 ? (size < 1e-9 ? 0 : size).toFixed(places) : shown(size);
  return (value < 0 ? "−" : "+") + written;
}
const chance = (p) => (p === null ? "–" : p < 1e-4 ? "< 0.0001" : p < 0.1 ? p.toFixed(4) : p.toFixed(2));

const section = (key) => document.querySelector(`section[data-section="${key}"]`);
const live = (key) => section(key).querySelector(".live");

function choice(id, options, chosen, label, change) {
  const list = el("select", { id, onchange: () => change(list.value) });
  options.forEach(([value, pair]) => {
    const option = el("option", { value, selected: String(value) === String(chosen) });
    speak(option, pair, "label");
    option.textContent = pair[0];
    list.append(option);
  });
  return { node: el("label", {}, said(label), list), list };
}

function speakIn(lang) {
  page.dataset.lang = lang;
  page.lang = lang === "zh" ? "zh-CN" : "en";
  const at = lang === "zh" ? 1 : 0;
  document.title = data.title[at];
  spoken.forEach(([node, pair, attribute]) => {
    node.setAttribute(attribute, pair[at]);
    if (node.tagName === "OPTION") node.textContent = pair[at];
  });
}

// Copies: what is seen, or with every digit where the format is for machines.
function visible(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  const tongue = node.getAttribute("lang");
  if (tongue && tongue !== page.dataset.lang) return "";
  if (["SMALL", "SUP", "svg"].includes(node.tagName)) return "";
  return Array.from(node.childNodes, visible).join("");
}
const inTable = (row) => Array.from(row.children).filter((cell) => !cell.classList.contains("chart"));
function gridOf(table) {
  const heads = inTable(table.tHead.rows[0]).map((cell) => visible(cell).trim());
  const rows = Array.from(table.tBodies[0].rows).map((row) =>
    inTable(row).map((cell) => {
      const given = cell.dataset.value;
      const text = visible(cell).trim(), raised = cell.querySelector("sup");
      return { text, letters: raised ? raised.textContent : "", value: given === undefined || given === "" ? null : Number(given), bold: cell.classList.contains("best"),
        exact: given };
    }));
  return { heads, rows };
}
const formats = {
  markdown({ heads, rows }) {
    const safe = (text) => text.replace(/[\\|<>*_`[\]]/g, "\\$&").replace(/\s+/g, " ");
    const line = (cells) => "| " + cells.join(" | ") + " |";
    const rule = heads.map((_, at) => (rows.every((row) => row[at].value === null) ? "---" : "---:"));
    return [line(heads.map(safe)), line(rule), ...rows.map((row) =>
      line(row.map((cell) => (cell.bold ? `**${safe(cell.text)}**` : safe(cell.text)) + (cell.letters && ` <sup>${safe(cell.letters)}</sup>`))))].join("\n") + "\n";
  },
  latex({ heads, rows }) {
    const known = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}",
      ">": "\\textgreater{}", "|": "\\textbar{}", "−": "$-$", "–": "--", "≥": "$\\ge$", "Δ": "$\\Delta$" };
    const safe = (text) => text.replace(/[&%$#_{}]/g, "\\$&").replace(/\\(?![&%$#_{}])|[~^<>|−–≥Δ]/g, (sign) => known[sign]);
    const columns = heads.map((_, at) => (rows.every((row) => row[at].value === null) ? "l" : "r")).join("");
    const line = (cells) => cells.join(" & ") + " \\\\";
    return [`\\begin{tabular}{${columns}}`, "\\toprule", line(heads.map(safe)), "\\midrule",
      ...rows.map((row) => line(row.map((cell) => (cell.bold ? `\\textbf{${safe(cell.text)}}` : safe(cell.text)) + (cell.letters && `$^{${cell.letters}}$`)))),
      "\\bottomrule", "\\end{tabular}"].join("\n") + "\n";
  },
  csv({ heads, rows }) {
    const safe = (text) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    return [heads, ...rows.map((row) => row.map((cell) => cell.exact ?? cell.text))].map((cells) => cells.map(safe).join(",")).join("\r\n") + "\r\n";
  },
  json({ heads, rows }) {
    return JSON.stringify(rows.map((row) => Object.fromEntries(row.map((cell, at) => [heads[at] || String(at), cell.value ?? cell.text]))), null, 2) + "\n";
  },
};
async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = el("textarea", { class: "hidden" });
    box.value = text;
    document.body.append(box);
    box.classList.remove("hidden");
    box.select();
    document.execCommand("copy");
    box.remove();
  }
}
function copyable(table, after = table.closest(".scroll") || table) {
  const done = el("output", { "aria-live": "polite" });
  const names = { markdown: "Markdown", latex: "LaTeX", csv: "CSV", json: "JSON" };
  const buttons = Object.entries(names).map(([format, name]) =>
    speak(el("button", { type: "button", "data-copy": format, onclick: async (event) => {
      const text = formats[format](gridOf(table));
      event.target.dataset.copied = text;
      await toClipboard(text);
      done.replaceChildren(said("copied"));
      setTimeout(() => done.replaceChildren(), 1500);
    } }, name), join(word("copy"), " " + name)));
  after.after(el("div", { class: "copies" }, done, said("copy"), ...buttons));
}

// A long table behind a line: what is folded away is out of the keyboard's way too.
function fold(box, key, open = false) {
  const copies = box.nextElementSibling, folded = el("details", { open }, el("summary", {}, said(key)));
  const inside = [box, copies && copies.classList.contains("copies") ? copies : null].filter(Boolean);
  const follow = () => inside.forEach((node) => node.classList.toggle("hidden", !folded.open));
  box.before(folded);
  folded.append(...inside);
  folded.addEventListener("toggle", follow);
  follow();
}
