// Model against model: points, sorted differences, and the matrix of p under a correction.
const corrections = {
  none: (p) => p.slice(),
  bonferroni: (p, n) => p.map((one) => Math.min(1, one * n)),
  holm(p, n) {
    let high = 0;
    const found = [];
    order(p).forEach((at, place) => { high = Math.max(high, Math.min(1, p[at] * (n - place))); found[at] = high; });
    return found;
  },
  bh(p, n) {
    let low = 1;
    const found = [];
    order(p).reverse().forEach((at, place) => { low = Math.min(low, (p[at] * n) / (n - place)); found[at] = low; });
    return found;
  },
};
const order = (p) => p.map((_, at) => at).sort((one, other) => p[one] - p[other] || one - other);
function corrected(method) {
  const family = data.pairs.metrics.flatMap((metric, at) => metric.pairs.map((pair, place) => [at, place, pair.p])).filter(([, , p]) => p !== null);
  const found = corrections[method](family.map(([, , p]) => p), family.length);
  const table = data.pairs.metrics.map((metric) => metric.pairs.map(() => null));
  family.forEach(([at, place], i) => { table[at][place] = found[i]; });
  return table;
}

const match = { metric: 0, one: 0, other: 1, correction: "holm" };
function drawPairs() {
  if (!data.pairs) return;
  match.correction = data.pairs.correction;
  match.one = data.pairs.baseline;
  const tested = data.pairs.metrics.map((metric) => metric.pairs.some((pair) => pair.p !== null));
  const first = tested.findIndex((yes, at) => yes && behind(at));
  match.metric = Math.max(0, first < 0 ? tested.indexOf(true) : first);
  match.other = match.one === 0 ? 1 : 0;
  const box = live("pairs");
  const names = models.map((name, at) => [at, same(name)]);
  const others = names.filter(([at]) => !data.pairs.only_baseline || at !== match.one);
  const again = (key) => (value) => { match[key] = key === "correction" ? value : Number(value); if (match.one === match.other && key !== "metric" && key !== "correction") match[key === "one" ? "other" : "one"] = (match[key] + 1) % models.length; redraw(); };
  const metric = choice("pair-metric", data.pairs.metrics.map((one, at) => [at, same(one.name)]), match.metric, "metric", again("metric"));
  const one = choice("pair-one", names, match.one, "baseline", again("one"));
  const other = choice("pair-other", others, match.other, "compared", again("other"));
  const words = [["holm", word("holm")], ["bonferroni", word("bonferroni")], ["bh", word("bh")], ["none", word("uncorrected")]];
  const correction = choice("correction", words, match.correction, "correction", again("correction"));
  const pictures = el("div", { class: "charts" });
  const matrix = el("table", { id: "p-matrix", "data-table": "p-matrix" }, el("caption", {}, said("p_matrix")), el("thead", {}, el("tr")), el("tbody"));
  const scroll = el("div", { class: "scroll", tabindex: "0" }, matrix);
  box.append(el("div", { class: "tools" }, metric.node, models.length > 2 && !data.pairs.only_baseline ? one.node : null, models.length > 2 ? other.node : null), pictures,
    el("div", { class: "tools" }, correction.node), scroll);
  function redraw() {
    one.list.value = match.one;
    other.list.value = match.other;
    pictures.replaceChildren(...pairFigures());
    drawMatrix(matrix);
  }
  redraw();
  const whole = section("pairs").querySelector('[data-table="pairs"]');
  fold(whole.closest(".scroll"), data.pairs.only_baseline ? "baseline_pairs" : "all_pairs", whole.tBodies[0].rows.length <= 12);
}

// Which values of single units stand behind a metric: GAUC is a mean of the groups' AUC, AUC itself of nothing.
function behind(at) {
  const { id, name } = data.definitions[at];
  if (!units) return null;
  if (data.task === "ranking") return Object.hasOwn(units.values, name) ? name : null;
  const found = id.startsWith("gauc") ? "auc" : id.startsWith("logloss") ? "logloss" : null;
  return found && Object.hasOwn(units.values, found) ? found : null;
}
function pairFigures() {
  const name = behind(match.metric);
  const figures = [];
  if (name) {
    const rows = units.ids.map((_, row) => [valueAt(name, match.one, row), valueAt(name, match.other, row), row]).filter(([a, b]) => a !== null && b !== null);
    if (rows.length) figures.push(scatter(name, rows), sortedGaps(name, rows));
  }
  figures.push(forest());
  return figures;
}
function scatter(name, rows) {
  const ends = range(rows.flatMap(([a, b]) => [a, b]), 0.03);
  const drawing = chart({ x: ends, y: ends, xLabel: same(models[match.one]), yLabel: same(models[match.other]), height: 300, label: word("scatter") });
  drawing.guide([[ends[0], ends[0]], [ends[1], ends[1]]]);
  const cloud = drawing.add("path", { class: "cloud " + colour(match.other), d: rows.map(([a, b]) => `M${drawing.X(a).toFixed(1)} ${drawing.Y(b).toFixed(1)}h0`).join("") });
  if (rows.length > 1500) set(cloud, { "stroke-width": 2.6 });
  drawing.svg.addEventListener("click", (event) => {
    const [x, y] = drawing.at(event);
    let best = null, near = 144;
    rows.forEach(([a, b, row]) => { const far = (drawing.X(a) - x) ** 2 + (drawing.Y(b) - y) ** 2; if (far < near) { near = far; best = row; } });
    if (best !== null) openUnit(best);
  });
  return figure(join(name + " · ", word(data.queries.per === "group" ? "scatter_group" : "scatter")), drawing.svg);
}
function sortedGaps(name, rows) {
  const gaps = rows.map(([a, b]) => b - a).sort((one, other) => other - one);
  const drawing = chart({ x: [0, gaps.length], y: range([...gaps, 0], 0.04), height: 300, xLabel: word(data.queries.per === "group" ? "groups_of" : "queries_of"), yLabel: same("Δ " + name), label: word(data.queries.per === "group" ? "deltas_group" : "deltas") });
  const area = (kind, kept) => {
    const points = gaps.map((value, at) => [at, kept(value) ? value : 0]);
    const d = drawing.path([[0, 0], ...points.flatMap(([at, value]) => [[at, value], [at + 1, value]]), [gaps.length, 0]]);
    drawing.add("path", { class: kind, d: d + "Z", opacity: 0.75 });
  };
  const higher = data.summary.metrics[match.metric].higher !== false;
  area(higher ? "up" : "down", (value) => value > 0);
  area(higher ? "down" : "up", (value) => value < 0);
  const wins = gaps.filter((value) => value > 0).length, losses = gaps.filter((value) => value < 0).length;
  drawing.add("text", { x: drawing.left + 8, y: drawing.Y(0) + 14 }, `Δ > 0: ${count(wins)}`);
  drawing.add("text", { x: drawing.width - drawing.right - 4, y: drawing.Y(0) - 6, "text-anchor": "end" }, `Δ < 0: ${count(losses)}`);
  return figure(word(data.queries.per === "group" ? "deltas_group" : "deltas"), drawing.svg, same(`${models[match.other]} − ${models[match.one]}`));
}
// Differences to the chosen baseline, with their intervals.
function forest() {
  const metric = data.pairs.metrics[match.metric], p = corrected(match.correction)[match.metric];
  const rows = models.map((_, at) => at).filter((at) => at !== match.one).map((at) => {
    const pair = metric.pairs.find((one) => one.pair.includes(at) && one.pair.includes(match.one));
    const turn = pair.pair[0] === at ? 1 : -1;
    const ends = pair.interval ? pair.interval.map((end) => end * turn).sort((a, b) => a - b) : null;
    return { at, value: pair.value === null ? null : pair.value * turn, ends, pair, wins: turn > 0 ? pair.wins : pair.losses, losses: turn > 0 ? pair.losses : pair.wins };
  });
  const ends = range([0, ...rows.flatMap((row) => [row.value, ...(row.ends || [])])], 0.1);
  const height = Math.max(110, rows.length * 46 + 60);
  const drawing = chart({ x: ends, y: [0, rows.length], yTicks: [], height, xLabel: same("Δ " + metric.name), left: 12, label: join("Δ ", metric.name) });
  drawing.add("line", { class: "rule", x1: drawing.X(0), x2: drawing.X(0), y1: drawing.top, y2: height - drawing.bottom });
  rows.forEach((row, place) => {
    const y = drawing.Y(rows.length - place - 0.62);
    const kind = colour(row.at);
    if (row.ends) drawing.add("line", { class: "whisker " + kind, x1: drawing.X(row.ends[0]), x2: drawing.X(row.ends[1]), y1: y, y2: y });
    if (row.value !== null) drawing.add("circle", { class: "dot " + kind, cx: drawing.X(row.value), cy: y, r: 5 });
    const tally = row.wins === null ? "" : ` · ${row.wins} / ${row.pair.ties} / ${row.losses}`;
    drawing.add("text", { x: drawing.left, y: y - 11 }, `${models[row.at].slice(0, 40)} · ${gap(row.value)} · p ${chance(p[metric.pairs.indexOf(row.pair)])}${tally}`);
  });
  return figure(join("Δ ", metric.name), drawing.svg, join(word("wins"), " / ", word("ties"), " / ", word("losses")));
}
function drawMatrix(node) {
  const found = corrected(match.correction)[match.metric];
  const pairs = data.pairs.metrics[match.metric].pairs;
  node.tHead.rows[0].replaceChildren(el("th"), ...models.map((_, at) => el("th", { scope: "col" }, modelName(at))));
  const rows = data.pairs.only_baseline ? [data.pairs.baseline] : models.keys();
  node.tBodies[0].replaceChildren(...Array.from(rows, (row) => el("tr", {}, el("th", { scope: "row" }, modelName(row)), ...models.map((_, column) => {
    const place = pairs.findIndex((one) => one.pair.includes(row) && one.pair.includes(column));
    if (row === column) return el("td", { class: "quiet" }, "·");
    const p = found[place];
    return el("td", { "data-value": p === null ? null : String(p), class: p !== null && p <= data.pairs.alpha ? "sure" : "quiet" }, chance(p));
  }))));
}
