// One small chart: scales, hairline grid, ticks; everything else is a path.
function ticks(low, high, most = 5) {
  const rough = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at++) found.push(Number((at * step).toPrecision(12)));
  return found;
}
const tick = (value) => (Math.abs(value) >= 10000 ? grouped(String(Math.round(value))) : String(Number(value.toPrecision(6)))).replace("-", "−");

function chart({ x, y, width = 360, height = 250, left = 44, bottom = 36, right = 12, top = 8, xLabel, yLabel, xTicks, yTicks, xTick = tick, xLog = false, label }) {
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  if (label) speak(svg, label);
  const scale = (value) => (xLog ? Math.log(value) : value);
  const [x0, x1] = x.map(scale);
  const X = (value) => left + ((scale(value) - x0) / (x1 - x0 || 1)) * (width - left - right);
  const Y = (value) => height - bottom - ((value - y[0]) / (y[1] - y[0] || 1)) * (height - bottom - top);
  const back = shape("g", { "aria-hidden": "true" });
  (yTicks || ticks(y[0], y[1], 4)).forEach((value) => back.append(
    shape("line", { class: "grid", x1: left, x2: width - right, y1: Y(value), y2: Y(value) }),
    shape("text", { x: left - 6, y: Y(value) + 3.5, "text-anchor": "end" }, tick(value))));
  (xTicks || ticks(x[0], x[1], 5)).forEach((value) => back.append(
    shape("line", { class: "grid", x1: X(value), x2: X(value), y1: top, y2: height - bottom }),
    shape("text", { x: X(value), y: height - bottom + 14, "text-anchor": "middle" }, xTick(value))));
  back.append(shape("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }));
  if (xLabel) back.append(shape("text", { x: (left + width - right) / 2, y: height - 3, "text-anchor": "middle" }, say(xLabel, shape, "tspan")));
  if (yLabel) back.append(shape("text", { transform: `translate(11 ${(top + height - bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, say(yLabel, shape, "tspan")));
  const front = shape("g");
  svg.append(back, front);
  const add = (tag, attributes, ...inside) => {
    const node = shape(tag, attributes, ...inside);
    front.append(node);
    return node;
  };
  const path = (points) => {
    let written = "", open = false;
    for (const [a, b] of points) {
      if (a === null || b === null || a === undefined || b === undefined) { open = false; continue; }
      written += (open ? "L" : "M") + X(a).toFixed(2) + " " + Y(b).toFixed(2);
      open = true;
    }
    return written;
  };
  return {
    svg, X, Y, add, path, width, height, left, right, top, bottom,
    line: (points, kind) => add("path", { class: "curve " + kind, d: path(points) }),
    guide: (points) => add("path", { class: "guide", d: path(points) }),
    dot: (kind, radius = 5) => add("circle", { class: "dot " + kind, r: radius, cx: -20, cy: -20 }),
    at: (event) => {
      const box = svg.getBoundingClientRect();
      return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
    },
  };
}
const figure = (title, drawing, note) => el("figure", {}, el("figcaption", {}, say(title), note ? el("small", {}, say(note)) : null), drawing);
function range(values, pad = 0.06) {
  const known = values.filter((value) => value !== null && value !== undefined && Number.isFinite(value));
  if (!known.length) return [0, 1];
  const low = known.reduce((a, b) => Math.min(a, b)), high = known.reduce((a, b) => Math.max(a, b));
  const space = (high - low) * pad || Math.abs(high) * 0.05 || 0.5;
  return [low - space, high + space];
}
const steps = (low, high, n) => Array.from({ length: n + 1 }, (_, at) => low + ((high - low) * at) / n);
