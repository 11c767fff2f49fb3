// Intervals of all models of a metric on one line each.
function drawSummary() {
  const table = section("summary").querySelector("table");
  const width = models.length < 3 ? 316 : models.length === 3 ? 256 : 186;
  if (models.length > 2) table.classList.add(models.length === 3 ? "three" : "many");
  data.summary.metrics.forEach((metric, row) => {
    const cell = table.tBodies[0].rows[row].querySelector("td.chart");
    const ends = metric.intervals.flatMap((pair) => pair || []).concat(metric.values);
    const [low, high] = range(ends, 0.08);
    const gapOf = 13, height = models.length * gapOf + 5;
    const X = (value) => 4 + ((value - low) / (high - low)) * (width - 8);
    const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
    speak(svg, join(metric.name + ": ", word("interval")));
    const first = metric.values[data.pairs ? data.pairs.baseline : 0];
    if (first !== null && models.length > 1) svg.append(shape("line", { class: "guide", x1: X(first), x2: X(first), y1: 0, y2: height }));
    metric.values.forEach((value, at) => {
      if (value === null) return;
      const y = 9 + at * gapOf, pair = metric.intervals[at];
      const group = shape("g", { class: colour(at) });
      if (pair) group.append(shape("line", { class: "whisker", x1: X(pair[0]), x2: X(pair[1]), y1: y, y2: y }));
      group.append(shape("circle", { class: "dot", cx: X(value), cy: y, r: 4 }));
      svg.append(group);
    });
    cell.append(svg);
  });
}
