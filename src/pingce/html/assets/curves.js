// Calibration, lift, gain and KS; and metrics at growing cut-offs.
function drawCurves() {
  const found = data.curves;
  if (!found) return;
  const figures = [];
  if (found.calibration) figures.push(calibrationChart(found.calibration));
  const lift = chart({ x: [0, 1], y: [0, Math.max(...found.lift.flatMap((one) => one.columns.lift)) * 1.05], xLabel: word("share"), yLabel: word("lift"), label: word("lift") });
  lift.guide([[0, 1], [1, 1]]);
  found.lift.forEach((one, at) => lift.line(pairsOf(one, "share", "lift"), colour(at)));
  figures.push(figure(word("lift"), lift.svg));
  const gain = chart({ x: [0, 1], y: [0, 1], xLabel: word("share"), yLabel: word("gain"), label: word("gain") });
  gain.guide([[0, 0], [1, 1]]);
  found.gain.forEach((one, at) => gain.line(pairsOf(one, "share", "gain"), colour(at)));
  figures.push(figure(word("gain"), gain.svg));
  const high = Math.max(...found.ks.flatMap((one) => one.columns.difference));
  const ks = chart({ x: [0, 1], y: [0, Math.min(1, high * 1.15)], xLabel: word("fpr"), yLabel: same("TPR − FPR"), label: word("ks") });
  found.ks.forEach((one, at) => {
    const points = pairsOf(one, "fpr", "difference");
    ks.line(points, colour(at));
    const top = points.reduce((best, point) => (point[1] > best[1] ? point : best));
    ks.add("circle", { class: "ring " + colour(at), cx: ks.X(top[0]), cy: ks.Y(top[1]), r: 3.5 });
  });
  figures.push(figure(word("ks"), ks.svg));
  live("curves").append(el("div", { class: "charts four" }, ...figures));
}
const pairsOf = (one, x, y) => one.columns[x].map((value, at) => [value, one.columns[y][at]]);

function calibrationChart(found, title = word("calibration")) {
  const drawable = found.filter((one) => one !== null);
  const most = Math.max(...drawable.flatMap((one) => [...one.columns.mean_predicted, ...one.columns.observed])) || 1;
  const high = most > 0.7 ? 1 : most * 1.08;
  const rows = Math.max(...drawable.flatMap((one) => one.columns.rows));
  const drawing = chart({ x: [0, high], y: [0, high], xLabel: word("predicted_mean"), yLabel: word("observed"), label: title });
  drawing.guide([[0, 0], [high, high]]);
  found.forEach((one, at) => {
    if (one === null) return;
    const points = pairsOf(one, "mean_predicted", "observed");
    drawing.line(points, colour(at)).setAttribute("stroke-width", "1.2");
    points.forEach(([x, y], bin) => {
      const n = one.columns.rows[bin];
      drawing.add("circle", { class: "dot " + colour(at), cx: drawing.X(x), cy: drawing.Y(y), r: 1.8 + 4.2 * Math.sqrt(n / rows) },
        shape("title", {}, `${models[at]}: ${shown(x)} → ${shown(y)}, n = ${count(n)}`));
    });
  });
  return figure(title, drawing.svg);
}

function drawCutoffs() {
  const found = data.cutoffs;
  if (!found) return;
  const ends = [found.k[0], found.k[found.k.length - 1]];
  const marks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((k) => k >= ends[0] && k <= ends[1]);
  const figures = found.metrics.map((metric) => {
    const all = metric.values.flat().filter((value) => value !== null);
    const drawing = chart({ x: ends, y: [0, Math.min(Math.max(...all) * 1.08, Math.max(...all) <= 1 ? 1 : Infinity) || 1], xLog: true, xTicks: marks, xLabel: same("k"), label: metric.title, width: 300, height: 220 });
    metric.values.forEach((values, at) => {
      drawing.line(values.map((value, i) => [found.k[i], value]), colour(at));
      values.forEach((value, i) => value !== null && drawing.add("circle", { class: "dot " + colour(at), cx: drawing.X(found.k[i]), cy: drawing.Y(value), r: 2.6, "stroke-width": 0.8 },
        shape("title", {}, `${models[at]}: ${metric.name}@${found.k[i]} = ${shown(value)}`)));
    });
    return figure(same(metric.name + "@k"), drawing.svg, metric.title);
  });
  live("cutoffs").append(el("div", { class: "charts four" }, ...figures));
  fold(section("cutoffs").querySelector(".scroll"), "as_table");
}
