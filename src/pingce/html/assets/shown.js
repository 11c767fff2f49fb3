// What is shown: who gets the places, how popular that was before, how much of the catalogue is left out.
function drawShown() {
  const found = data.shown;
  if (!found || found.note) return;
  const figures = [lorenzChart(found.lorenz)];
  if (found.popularity) figures.push(popularityChart(found.popularity));
  if (found.coverage && found.coverage.k.length > 1) figures.push(coverageChart(found.coverage));
  if (found.scatter) figures.push(tradeChart(found.scatter));
  if (found.exposure) figures.push(exposureChart(found.exposure));
  live("shown").append(el("div", { class: "charts four" }, ...figures));
  section("shown").querySelectorAll('table:not([data-table="shown"])').forEach((table) =>
    fold(table.closest(".scroll"), table.dataset.table.replace("shown-", "") + "_table"));
}
const small = { width: 300, height: 220, left: 50 };
const mostBars = 4;
function aboveZero(values) {
  const [low, high] = range(values, 0.15);
  return [values.some((value) => value < 0) ? low : Math.max(low, 0), high];
}
function lorenzChart(found) {
  const drawing = chart({ x: [0, 1], y: [0, 1], xLabel: word("share_of_items"), yLabel: word("share_of_places"), label: word("lorenz"), ...small });
  drawing.guide([[0, 0], [1, 1]]);
  found.curves.forEach((own, at) => drawing.line(own.items.map((x, point) => [x, own.places[point]]), colour(at))
    .append(shape("title", {}, models[at])));
  return figure(word("lorenz"), drawing.svg, same(found.metric));
}
function popularityChart(found) {
  const parts = found.past.length, all = [...found.past, ...found.models.flat(), ...found.cold];
  const places = found.past.map((_, part) => part + 1), last = parts + 1;
  const drawing = chart({ x: [0.4, last + 0.6], y: [0, Math.max(...all) * 1.08 || 1], xTicks: places.filter((part) => part % 2), xLabel: word("decile"), yLabel: word("share_of_places"), label: word("popularity_parts"), ...small });
  const columns = models.length + 1, wide = models.length > mostBars ? 0.6 : Math.min(0.84 / columns, 0.3);
  const bar = (part, column, share, kind, name) => {
    const x = drawing.X(part + (column - columns / 2) * wide), to = drawing.X(part + (column + 1 - columns / 2) * wide);
    drawing.add("rect", { class: "bar " + kind, x: x + 0.3, width: Math.max(to - x - 0.6, 0.6), y: drawing.Y(share), height: drawing.Y(0) - drawing.Y(share) },
      shape("title", {}, say(join(name, `: ${shown(share)}`), shape, "tspan")));
  };
  if (models.length > mostBars) {
    found.past.forEach((share, part) => bar(part + 1, (columns - 1) / 2, share, "before", word("past")));
    found.models.forEach((shares, at) => drawing.line([...shares, found.cold[at]].map((share, part) => [part + 1, share]), colour(at))
      .append(shape("title", {}, models[at])));
  } else {
    found.past.forEach((share, part) => bar(part + 1, 0, share, "before", word("past")));
    found.models.forEach((shares, at) => [...shares, found.cold[at]].forEach((share, part) => bar(part + 1, at + 1, share, "more " + colour(at), same(models[at]))));
  }
  drawing.add("text", { x: drawing.X(last), y: drawing.height - drawing.bottom + 14, "text-anchor": "middle" }, say(word("new_items"), shape, "tspan"));
  const legend = el("small", { class: "legend" }, el("i", { class: "swatch" }), said("past"));
  const drawn = figure(word("popularity_parts"), drawing.svg);
  drawn.querySelector("figcaption").append(legend);
  return drawn;
}
function coverageChart(found) {
  const ends = [found.k[0], found.k[found.k.length - 1]], all = found.values.flat().filter((value) => value !== null);
  const marks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((k) => k >= ends[0] && k <= ends[1]);
  const high = Math.max(...all) * 1.08;
  const drawing = chart({ x: ends, y: [0, (Math.max(...all) <= 1 ? Math.min(high, 1) : high) || 1], xLog: true, xTicks: marks, xLabel: same("k"), label: word("coverage_curve"), ...small });
  found.values.forEach((values, at) => {
    drawing.line(values.map((value, i) => [found.k[i], value]), colour(at));
    values.forEach((value, i) => value !== null && drawing.add("circle", { class: "dot " + colour(at), cx: drawing.X(found.k[i]), cy: drawing.Y(value), r: 2.6, "stroke-width": 0.8 },
      shape("title", {}, `${models[at]}: ${found.metric}@${found.k[i]} = ${shown(value)}`)));
  });
  return figure(word("coverage_curve"), drawing.svg, same(found.metric + "@k"));
}
function tradeChart(found) {
  const names = Object.keys(found.accuracy), place = el("div");
  const draw = (name) => {
    const right = found.accuracy[name];
    const drawing = chart({ x: aboveZero(found.values), y: aboveZero(right), xLabel: same(found.coverage), yLabel: same(name), label: word("accuracy_coverage"), ...small });
    right.forEach((value, at) => {
      if (value === null || found.values[at] === null) return;
      const x = drawing.X(found.values[at]), y = drawing.Y(value), turned = x > drawing.width * 0.6;
      drawing.add("circle", { class: "dot " + colour(at), cx: x, cy: y, r: 5.5 }, shape("title", {}, `${models[at]}: ${found.coverage} = ${shown(found.values[at])}, ${name} = ${shown(value)}`));
      drawing.add("text", { class: "label", x: x + (turned ? -9 : 9), y: y + 3.5, "text-anchor": turned ? "end" : "start", translate: "no" }, models[at].slice(0, 16));
    });
    place.replaceChildren(drawing.svg);
  };
  const which = choice("trade-metric", names.map((name) => [name, same(name)]), names[0], "metric", draw);
  draw(names[0]);
  return el("figure", {}, el("figcaption", {}, said("accuracy_coverage"), el("small", {}, found.coverage)), place, names.length > 1 ? el("div", { class: "tools" }, which.node) : null);
}
function exposureChart(found) {
  const names = found.groups.map((name) => same(name.slice(0, 14)));
  if (found.others) names.push(join(`${found.others} `, word("other_groups")));
  const columns = [found.items, ...found.models], thick = Math.max(3, Math.min(9, 24 / columns.length)), left = 96;
  const most = Math.max(...columns.flat().filter((share) => share !== null));
  const height = Math.max(small.height, names.length * (columns.length * thick + 8) + 46);
  const drawing = chart({ x: [0, most * 1.05 || 1], y: [0, names.length], yTicks: [], xLabel: word("share_of_exposure"), label: word("exposure_groups"), ...small, left, height });
  names.forEach((name, place) => {
    const middle = drawing.Y(names.length - place - 0.5);
    drawing.add("text", { x: left - 8, y: middle + 3.5, "text-anchor": "end" }, say(name, shape, "tspan"));
    columns.forEach((column, at) => column[place] !== null && drawing.add("rect",
      { class: "bar " + (at ? "more " + colour(at - 1) : "before"), x: left, width: Math.max(drawing.X(column[place]) - left, 0.6), y: middle + (at - columns.length / 2) * thick, height: thick - 0.8 },
      shape("title", {}, say(join(at ? same(models[at - 1]) : word("part_of_items"), `: ${shown(column[place])}`), shape, "tspan"))));
  });
  const drawn = figure(word("exposure_groups"), drawing.svg, same(found.metric));
  drawn.querySelector("figcaption").append(el("small", { class: "legend" }, el("i", { class: "swatch" }), said("part_of_items")));
  return drawn;
}
