// Slices with their intervals, those of time along it, and residuals.
function drawSlices() {
  const found = data.slices;
  if (!found) return;
  const names = Object.keys(found.overall);
  let metric = names.includes("gauc") ? "gauc" : names[0];
  const place = el("div", { class: "charts" });
  const which = choice("slice-metric", names.map((name) => [name, same(name)]), metric, "metric", (value) => { metric = value; draw(); });
  live("slices").append(el("div", { class: "tools" }, which.node), place);
  const over = (one) => [...new Set([...one.times, metric])].map((name) => timeChart(one, name, found.overall[name]));
  function draw() { place.replaceChildren(...found.tables.flatMap((one) => (one.times ? over(one) : [sliceChart(one, metric, found.overall[metric])]))); }
  draw();
}
function sliceChart(one, metric, overall) {
  const rows = one.rows.slice(0, 40);
  const ends = range([...rows.flatMap((row) => row.values[metric].flatMap((value) => (value ? value.slice(0, 3) : []))), ...overall.map((value) => value[0])], 0.05);
  const step = 12 + 9 * models.length, left = 120, height = rows.length * step + 46;
  const drawing = chart({ x: ends, y: [0, rows.length], yTicks: [], width: 560, height, left, xLabel: same(metric), label: join(titled(one.by), `: ${metric}`) });
  overall.forEach((value, at) => value[0] !== null && drawing.add("line", { class: "guide " + colour(at), x1: drawing.X(value[0]), x2: drawing.X(value[0]), y1: drawing.top, y2: height - drawing.bottom }));
  rows.forEach((row, place) => {
    const middle = drawing.Y(rows.length - place - 0.5);
    const name = row.name === null ? word("none") : same(row.name.slice(0, 16));
    drawing.add("text", { x: left - 10, y: middle + 1, "text-anchor": "end" }, say(name, shape, "tspan"));
    drawing.add("text", { class: "label", x: left - 10, y: middle + 13, "text-anchor": "end" }, "n = " + count(row.n));
    row.values[metric].forEach((value, at) => {
      if (!value || value[0] === null) return;
      const y = middle + (at - (models.length - 1) / 2) * 9;
      if (value[1] !== null) drawing.add("line", { class: "whisker " + colour(at), x1: drawing.X(value[1]), x2: drawing.X(value[2]), y1: y, y2: y });
      drawing.add("circle", { class: "dot " + colour(at), cx: drawing.X(value[0]), cy: y, r: 3.8 }, shape("title", {}, `${models[at]}: ${shown(value[0])}`));
    });
  });
  return figure(titled(one.by), drawing.svg);
}
function timeChart(one, metric, overall) {
  const rows = one.rows.filter((row) => row.name !== null);
  const moments = rows.map((row) => Date.parse(row.name.includes("T") ? row.name.replace(/[+-]\d\d:\d\d$/, "") + "Z" : row.name));
  const names = new Map(rows.map((row, at) => [moments[at], row.name])), every = Math.ceil(rows.length / 3);
  const y = range([...rows.flatMap((row) => row.values[metric].flatMap((value) => (value ? value.slice(0, 3) : []))), ...overall.map((value) => value[0])], 0.08);
  const drawing = chart({ x: [moments[0], moments[moments.length - 1]], y, width: 400, height: 230, left: 50, right: 40, xTicks: moments.filter((_, at) => at % every === 0),
    xTick: (moment) => names.get(moment), yLabel: same(metric), label: join(titled(one.by), `: ${metric}`) });
  models.forEach((model, at) => {
    const values = rows.map((row) => row.values[metric][at] || [null, null, null]);
    if (overall[at][0] !== null) drawing.add("line", { class: "guide " + colour(at), x1: drawing.left, x2: drawing.width - drawing.right, y1: drawing.Y(overall[at][0]), y2: drawing.Y(overall[at][0]) });
    drawing.line(values.map((value, place) => [moments[place], value[0]]), colour(at)).append(shape("title", {}, model));
    values.forEach((value, place) => {
      if (value[0] === null) return;
      const x = drawing.X(moments[place]);
      if (value[1] !== null) drawing.add("line", { class: "whisker " + colour(at), x1: x, x2: x, y1: drawing.Y(value[1]), y2: drawing.Y(value[2]), opacity: 0.5 });
      drawing.add("circle", { class: "dot " + colour(at), cx: x, cy: drawing.Y(value[0]), r: 3 }, shape("title", {}, `${rows[place].name} ${model}: ${metric} = ${shown(value[0])}, n = ${count(rows[place].n)}`));
    });
  });
  return figure(titled(one.by), drawing.svg, same(metric));
}

function drawResiduals() {
  const found = data.residuals;
  if (!found) return;
  const box = live("residuals"), ends = [found.edges[0], found.edges[found.edges.length - 1]];
  found.models.forEach((own, at) => {
    const density = chart({ x: ends, y: ends, height: 300, xLabel: word("truth"), yLabel: word("prediction"), label: word("density") });
    const most = Math.max(...own.cells.map(([, , n]) => n));
    const wide = density.X(found.edges[1]) - density.X(found.edges[0]), tall = density.Y(found.edges[0]) - density.Y(found.edges[1]);
    own.cells.forEach(([x, y, n]) => density.add("rect", { class: "cell " + colour(at), x: density.X(found.edges[x]), y: density.Y(found.edges[y + 1]), width: wide, height: tall, opacity: (0.14 + 0.86 * Math.sqrt(n / most)).toFixed(2) }, shape("title", {}, "n = " + n)));
    density.guide([[ends[0], ends[0]], [ends[1], ends[1]]]);
    const bars = chart({ x: [found.errors[0], found.errors[found.errors.length - 1]], y: [0, Math.max(...own.histogram) * 1.06], height: 300, xLabel: word("error"), yLabel: word("rows"), label: word("errors") });
    own.histogram.forEach((n, bin) => { const x = bars.X(found.errors[bin]); bars.add("rect", { class: "bar " + colour(at), x: x + 0.5, width: Math.max(bars.X(found.errors[bin + 1]) - x - 1, 0.5), y: bars.Y(n), height: bars.Y(0) - bars.Y(n) }); });
    bars.add("line", { class: "rule", x1: bars.X(0), x2: bars.X(0), y1: bars.top, y2: bars.height - bars.bottom });
    const along = chart({ x: range(own.along.map(([x]) => x)), y: range([0, ...own.along.flatMap(([, ...rest]) => rest)]), height: 300, xLabel: word("prediction"), yLabel: word("mean_error"), label: word("along") });
    along.guide([[along.x0 || own.along[0][0], 0], [own.along[own.along.length - 1][0], 0]]);
    own.along.forEach(([x, mean, low, high]) => {
      along.add("line", { class: "whisker " + colour(at), x1: along.X(x), x2: along.X(x), y1: along.Y(low), y2: along.Y(high), opacity: 0.5 });
      along.add("circle", { class: "dot " + colour(at), cx: along.X(x), cy: along.Y(mean), r: 4 });
    });
    box.append(models.length > 1 ? el("h3", {}, modelName(at)) : "", el("div", { class: "charts" }, figure(word("density"), density.svg), figure(word("errors"), bars.svg), figure(word("along"), along.svg)));
  });
}
