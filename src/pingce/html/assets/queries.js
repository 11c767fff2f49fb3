// The table of queries or groups: unpacked, sorted, searched, a page at a time.
let units = null;
async function unpack(letters) {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
function valueAt(metric, model, row) {
  const own = units.values[metric], code = own.codes[model][row];
  if (code < 0) return null;
  return own.levels ? own.levels[code] : own.low + code * own.step;
}
const unitMetrics = () => Object.keys(units.values);
const pageful = 50;
const table = { metric: null, sort: "spread", down: true, search: "", shown: pageful, chosen: null };

function spreadAt(metric, row) {
  const known = models.map((_, at) => valueAt(metric, at, row));
  if (models.length === 2) return known[0] === null || known[1] === null ? null : known[1] - known[0];
  const there = known.filter((value) => value !== null);
  return there.length < 2 ? null : Math.max(...there) - Math.min(...there);
}
function keyOf(row) {
  if (table.sort === "id") return units.ids[row];
  if (table.sort === "spread") return spreadAt(table.metric, row);
  return valueAt(table.metric, Number(table.sort), row);
}
function rowsFound() {
  const wanted = table.search.toLowerCase();
  const rows = units.ids.map((_, at) => at).filter((row) => !wanted || units.ids[row].toLowerCase().includes(wanted));
  const keys = new Map(rows.map((row) => [row, keyOf(row)]));
  const natural = new Intl.Collator("en", { numeric: true });
  const size = (value) => (table.sort === "spread" ? Math.abs(value) : value);
  return rows.sort((one, other) => {
    const a = keys.get(one), b = keys.get(other);
    if (a === null || b === null) return (a === null) - (b === null) || one - other;
    const way = table.sort === "id" ? natural.compare(a, b) : size(a) - size(b);
    return (table.down ? -way : way) || one - other;
  });
}

function drawRows() {
  const node = document.getElementById("query-table");
  const rows = rowsFound();
  const heads = [["id", said(data.queries.per), ""], ...models.map((_, at) => [String(at), modelName(at), "num"])];
  if (models.length > 1) heads.push(["spread", document.createTextNode("Δ"), "num"]);
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.sort : null;
  node.tHead.rows[0].replaceChildren(...heads.map(([key, inside, kind]) =>
    el("th", { scope: "col", class: kind, "aria-sort": table.sort === key ? (table.down ? "descending" : "ascending") : null },
      el("button", { type: "button", class: "plain", "data-sort": key, onclick: () => sortBy(key) }, inside))));
  if (focused) { const again = node.querySelector(`[data-sort="${focused}"]`); if (again) again.focus(); }
  node.tBodies[0].replaceChildren(...rows.slice(0, table.shown).map((row) =>
    el("tr", { "data-query": units.ids[row], "aria-selected": table.chosen === row ? "true" : "false", onclick: () => openUnit(row) },
      el("th", { scope: "row" }, el("button", { type: "button", class: "plain", title: units.ids[row].slice(0, 300) }, isolated(units.ids[row]))),
      ...models.map((_, at) => numberCell(valueAt(table.metric, at, row))),
      models.length > 1 ? numberCell(spreadAt(table.metric, row), models.length === 2 ? gap : shown) : null)));
  const left = rows.length - Math.min(rows.length, table.shown);
  const status = document.getElementById("query-status");
  status.replaceChildren(say(join(`${grouped(String(Math.min(rows.length, table.shown)))} / ${grouped(String(rows.length))} `, word(data.queries.per === "query" ? "queries_of" : "groups_of"))),
    left ? " " : "", left ? el("button", { type: "button", id: "query-more", onclick: () => { table.shown += 100; drawRows(); } }, said("more")) : "");
}
const numberCell = (value, write = shown) => el("td", { class: "num", "data-value": value === null ? null : String(value) }, value === null ? "–" : write(value));
function sortBy(key) {
  table.down = table.sort === key ? !table.down : key !== "id";
  table.sort = key;
  table.shown = pageful;
  drawRows();
}

async function drawQueries() {
  if (!data.bulk) return;
  if (typeof DecompressionStream === "undefined") {
    live("queries").append(el("p", { class: "note" }, said("too_old")));
    return;
  }
  units = await unpack(data.bulk);
  table.metric = unitMetrics()[0];
  if (models.length === 1) { table.sort = "0"; table.down = false; }
  section("queries").querySelector("p.fine").remove();
  const search = speak(el("input", { id: "query-search", type: "search", oninput: () => { table.search = search.value; table.shown = pageful; drawRows(); } }), word("search"), "placeholder");
  speak(search, word("search"));
  const which = choice("query-metric", unitMetrics().map((name) => [name, titled(name)]), table.metric, "metric", (value) => { table.metric = value; drawRows(); if (table.chosen !== null) openUnit(table.chosen, false); });
  live("queries").append(el("div", { class: "tools" }, search, which.node, el("span", { id: "query-status", class: "quiet", "aria-live": "polite" })));
  const box = document.getElementById("query-table").closest(".scroll");
  if (Object.values(units.values).some((own) => own.step)) box.before(el("p", { class: "fine" }, said("rounded")));
  box.classList.add("tall");
  section("queries").append(el("div", { id: "query-detail", class: "hidden", role: "region", tabindex: "-1" }));
  speak(document.getElementById("query-detail"), word("chosen"));
  drawRows();
}
