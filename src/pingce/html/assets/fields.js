// Calibration by part: the values of a field as points, slices as small reliability charts.
function drawFields() {
  const found = data.fields;
  if (!found) return;
  const points = found.columns.map(fieldChart);
  const parts = found.slices.flatMap((one) => one.parts.map((part) =>
    calibrationChart(part.models, join(titled(one.by), " = ", part.name === null ? word("none") : same(part.name)))));
  live("fields").append(el("div", { class: "charts four" }, ...points), el("div", { class: "charts four" }, ...parts));
  section("fields").querySelectorAll('table[data-table^="reliability"]').forEach((table) => fold(table.closest(".scroll"), "as_table"));
}
function fieldChart(column) {
  const every = column.models.flatMap((own) => own.points);
  const [low, high] = range(every.flatMap(([x, y]) => [x, y]));
  const rows = every.reduce((most, [, , n]) => Math.max(most, n), 1);
  const drawing = chart({ x: [low, high], y: [low, high], xLabel: word("predicted_mean"), yLabel: word("observed"), label: join(column.title, ": ", word("calibration")) });
  drawing.guide([[low, low], [high, high]]);
  column.models.forEach((own, at) => own.points.forEach(([x, y, n, name]) =>
    drawing.add("circle", { class: "dot " + colour(at), cx: drawing.X(x), cy: drawing.Y(y), r: 1.5 + 3.5 * Math.sqrt(n / rows), opacity: 0.6, "stroke-width": 0.6 },
      shape("title", {}, `${models[at]} ${name}: ${shown(x)} → ${shown(y)}, n = ${count(n)}`))));
  return figure(column.title, drawing.svg, word("field_points"));
}
