// The threshold panel: one place on the scale, and every model's exact counts there.
const panel = data.threshold;
function cellsAt(own, at) {
  const tp = own.tp[at], fp = own.fp[at], fn = own.positives - tp, tn = own.negatives - fp;
  return {
    tp, fp, tn, fn,
    accuracy: (tp + tn) / (tp + fp + tn + fn),
    precision: tp + fp ? tp / (tp + fp) : null,
    recall: tp / (tp + fn),
    f1: (2 * tp) / (2 * tp + fn + fp),
    fpr: fp / (fp + tn),
  };
}
const counted = ["tp", "fp", "tn", "fn"];
const rates = ["accuracy", "precision", "recall", "f1", "fpr"];

function rocChart() {
  const drawing = chart({ x: [0, 1], y: [0, 1], xLabel: word("fpr"), yLabel: word("tpr"), label: word("roc") });
  drawing.guide([[0, 0], [1, 1]]);
  panel.models.forEach((own, at) => {
    const points = [[0, 0], ...own.tp.map((tp, i) => [own.fp[i] / own.negatives, tp / own.positives]), [1, 1]];
    drawing.line(points, colour(at));
  });
  return drawing;
}
function prChart() {
  const drawing = chart({ x: [0, 1], y: [0, 1], xLabel: word("recall"), yLabel: word("precision"), label: word("pr") });
  [0.2, 0.4, 0.6, 0.8].forEach((f) => {
    const low = f / (2 - f);
    drawing.add("path", { class: "iso", d: drawing.path(steps(low, 1, 40).map((r) => [r, Math.min(1, (f * r) / (2 * r - f))])) });
    drawing.add("text", { class: "label", x: drawing.X(1) - 3, y: drawing.Y(low) - 3, "text-anchor": "end" }, "F " + f);
  });
  panel.models.forEach((own, at) => {
    const points = own.tp.map((tp, i) => [tp / own.positives, tp + own.fp[i] ? tp / (tp + own.fp[i]) : null]).filter(([r]) => r > 0);
    drawing.line(points, colour(at));
    const bep = cellsAt(own, own.presets.bep);
    drawing.add("circle", { class: "ring " + colour(at), cx: drawing.X(bep.recall), cy: drawing.Y(bep.precision), r: 3.5 },
      shape("title", {}, "BEP"));
  });
  drawing.guide([[0, 0], [1, 1]]);
  return drawing;
}
function histogram() {
  const { edges, counts } = panel.histogram;
  const tall = Math.max(...counts.flatMap((sides) => sides.map((side) => Math.max(...side) / (side.reduce((a, b) => a + b, 0) || 1))));
  const drawing = chart({ x: [edges[0], edges[edges.length - 1]], y: [-tall * 1.04, tall * 1.04], yTicks: [0], xLabel: word("score"), label: word("histogram") });
  drawing.add("text", { class: "label", x: drawing.width - drawing.right - 2, y: drawing.top + 10, "text-anchor": "end" }, say(join("↑ ", word("positives")), shape, "tspan"));
  drawing.add("text", { class: "label", x: drawing.width - drawing.right - 2, y: drawing.height - drawing.bottom - 5, "text-anchor": "end" }, say(join("↓ ", word("negatives")), shape, "tspan"));
  counts.forEach((sides, at) => sides.forEach((side, positive) => {
    const whole = side.reduce((a, b) => a + b, 0) || 1, turn = positive ? 1 : -1;
    const points = side.flatMap((n, bin) => [[edges[bin], (turn * n) / whole], [edges[bin + 1], (turn * n) / whole]]);
    const line = drawing.line([[edges[0], 0], ...points, [edges[edges.length - 1], 0]], colour(at));
    line.setAttribute("stroke-width", "1.3");
  }));
  return drawing;
}
const costAt = (price, now) => (price.fp * now.fp + price.fn * now.fn) / (now.tp + now.fp + now.tn + now.fn);
function costChart(price) {
  const { edges } = panel.histogram;
  const best = price.models.map((own) => (own.at === null ? null : panel.thresholds[own.at]));
  const ends = [edges[0], Math.max(edges[edges.length - 1], ...best.filter((at) => at !== null))];
  const curves = panel.models.map((own) => panel.thresholds.map((x, at) => [x, costAt(price, cellsAt(own, at))]).filter(([x]) => x >= ends[0] && x <= ends[1]));
  const most = Math.max(...curves.flat().map(([, y]) => y)) || 1;
  const drawing = chart({ x: ends, y: [0, most * 1.05], xLabel: word("threshold"), yLabel: word("cost"), label: join(word("costs"), ` (${price.name})`) });
  price.models.forEach((own, at) => {
    drawing.line(curves[at], colour(at));
    if (best[at] === null) return;
    drawing.add("circle", { class: "ring " + colour(at), cx: drawing.X(best[at]), cy: drawing.Y(own.least), r: 3.5 }, shape("title", {}, `${models[at]}: ${shown(own.least)}`));
  });
  drawing.rule = drawing.add("line", { class: "rule", y1: drawing.top, y2: drawing.height - drawing.bottom });
  return drawing;
}

function drawThreshold() {
  if (!panel) return;
  const size = panel.thresholds.length, last = size - 1;
  const table = section("threshold").querySelector("table");
  section("threshold").querySelector("p.fine").remove();
  const cells = Array.from(table.tBodies[0].rows, (row, at) => {
    row.dataset.model = models[at];
    const found = {};
    [...counted, ...rates].forEach((name, place) => { found[name] = row.cells[place + 1]; found[name].dataset.cell = name; });
    return found;
  });
  const roc = rocChart(), pr = prChart(), bars = histogram();
  const prices = panel.costs || [], costs = prices.map(costChart);
  const priced = prices.map((_, place) => panel.models.map((_, at) => section("threshold").querySelector(`tr[data-price="${place}"][data-of="${at}"]`).cells[2]));
  const dots = panel.models.map((_, at) => [roc.dot(colour(at)), pr.dot(colour(at))]);
  const rule = bars.add("line", { class: "rule", y1: bars.top, y2: bars.height - bars.bottom });
  const squares = panel.models.map((own, at) => square(own, at));
  const out = el("output", { id: "threshold-shown", "aria-live": "polite", for: "threshold-slider" });
  const slider = speak(el("input", { id: "threshold-slider", type: "range", min: 0, max: last, step: 1 }), word("threshold"));
  const typed = speak(el("input", { id: "threshold-value", type: "text", inputmode: "decimal", autocomplete: "off" }), word("threshold"));
  const sign = panel.compare === "ge" ? "≥ " : "> ";

  function show(at) {
    const threshold = panel.thresholds[at];
    slider.value = last - at;
    slider.setAttribute("aria-valuetext", String(threshold));
    out.dataset.value = String(threshold);
    out.textContent = sign + (Number.isInteger(threshold) ? threshold : Number(threshold.toPrecision(6)));
    if (document.activeElement !== typed) typed.value = String(threshold);
    panel.models.forEach((own, place) => {
      const now = cellsAt(own, at);
      for (const [name, value] of Object.entries(now)) {
        const cell = cells[place][name];
        cell.textContent = counted.includes(name) ? count(value) : shown(value);
        cell.dataset.value = value === null ? "" : String(value);
      }
      move(dots[place][0], roc, now.fpr, now.recall);
      move(dots[place][1], pr, now.recall, now.precision);
      squares[place](now);
      prices.forEach((price, at) => {
        const cost = costAt(price, now);
        priced[at][place].textContent = shown(cost);
        priced[at][place].dataset.value = String(cost);
      });
    });
    lay(rule, bars, threshold);
    costs.forEach((drawing) => lay(drawing.rule, drawing, threshold));
  }
  const lay = (line, drawing, threshold) => {
    const x = Math.min(Math.max(drawing.X(threshold), drawing.left), drawing.width - drawing.right);
    set(line, { x1: x, x2: x });
  };
  const move = (dot, drawing, x, y) => set(dot, { cx: x === null || y === null ? -20 : drawing.X(x), cy: y === null ? -20 : drawing.Y(y) });
  const nearest = (value) => panel.thresholds.reduce((best, one, at) => (Math.abs(one - value) < Math.abs(panel.thresholds[best] - value) ? at : best), 0);
  slider.addEventListener("input", () => show(last - Number(slider.value)));
  typed.addEventListener("change", () => {
    if (typed.value !== "" && Number.isFinite(Number(typed.value))) show(nearest(Number(typed.value)));
    typed.value = out.dataset.value;
  });
  typed.addEventListener("keydown", (event) => { if (event.key === "Enter") typed.dispatchEvent(new Event("change")); });

  let model = 0;
  const which = choice("threshold-model", models.map((name, at) => [at, same(name)]), 0, "model", (value) => { model = Number(value); });
  const presets = ["max_f1", "bep", "ks"].map((name) =>
    el("button", { type: "button", "data-preset": name, onclick: () => show(panel.models[model].presets[name]) }, said(name)));
  const cheapest = prices.map((price, place) =>
    el("button", { type: "button", "data-preset": "cost", "data-price": place, onclick: () => price.models[model].at !== null && show(price.models[model].at) },
      said("least_cost"), prices.length > 1 ? ` ${price.name}` : null));
  const least = speak(el("input", { id: "precision-least", type: "number", min: 0, max: 1, step: 0.05, value: 0.5 }), word("precision_at_least"));
  const atLeast = el("button", { type: "button", "data-preset": "precision", onclick: () => {
    const own = panel.models[model];
    for (let at = last; at >= 0; at--) {
      const now = cellsAt(own, at);
      if (now.precision !== null && now.precision >= Number(least.value)) return show(at);
    }
  } }, said("precision_at_least"));
  live("threshold").append(
    el("div", { class: "slider" }, el("label", { for: "threshold-slider" }, said("threshold")), slider, out, typed,
      el("span", { class: "tools" }, said("preset"), models.length > 1 ? which.node : null, ...presets, ...cheapest, atLeast, least)),
    el("div", { class: "charts" }, figure(word("roc"), roc.svg), figure(word("pr"), pr.svg, same("○ BEP")), figure(word("histogram"), bars.svg), ...costs.map((drawing, at) => figure(word("costs"), drawing.svg, same(`${prices[at].name} ○ min`)))),
    el("div", { class: "cm" }, ...squares.map((one) => one.node)));
  show(panel.start);
}

// The four counts as two bars: how positives and how negatives were decided.
function square(own, at) {
  const wide = 540, tall = 68;
  const svg = shape("svg", { viewBox: `0 0 ${wide} ${tall}`, role: "img" });
  speak(svg, join(same(models[at]), ": ", word("matrix")));
  const parts = {};
  [["tp", "more"], ["fn", "less"], ["fp", ""], ["tn", "less"]].forEach(([name, kind], place) => {
    const y = place < 2 ? 3 : 37;
    parts[name] = [shape("rect", { class: "bar " + kind, y, height: 13, x: 0, width: 0 }), shape("text", { y: y + 25 })];
    svg.append(...parts[name]);
  });
  const update = (now) => {
    const row = (left, right, whole) => {
      const cut = (wide * now[left]) / whole;
      set(parts[left][0], { x: 0, width: Math.max(cut - 1, now[left] ? 1 : 0) });
      set(parts[right][0], { x: cut, width: wide - cut });
      parts[left][1].textContent = `${left.toUpperCase()} ${count(now[left])}`;
      parts[right][1].textContent = `${right.toUpperCase()} ${count(now[right])}`;
      set(parts[right][1], { x: wide, "text-anchor": "end" });
    };
    row("tp", "fn", own.positives);
    row("fp", "tn", own.negatives);
  };
  update.node = el("div", { class: colour(at) }, modelName(at), svg);
  return update;
}
