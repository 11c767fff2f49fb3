// One query: lists side by side with coloured grades, and the calculation as it would be written on a blackboard.
function openUnit(row, scroll = true) {
  table.chosen = row;
  document.querySelectorAll("#query-table tbody tr").forEach((line) => line.setAttribute("aria-selected", String(line.dataset.query === units.ids[row])));
  const box = document.getElementById("query-detail");
  box.classList.remove("hidden");
  box.dataset.query = units.ids[row];
  const found = units.details ? units.details[row] : null;
  box.replaceChildren(
    el("h3", {}, say(join(word(data.queries.per), " ")), isolated(units.ids[row])),
    valuesOf(row),
    ...(found ? [el("h4", {}, said("top_lists")), listsOf(found), ...workedOf(found)].filter(Boolean) : [elsewhere(row)]));
  if (scroll) {
    box.scrollIntoView({ block: "nearest" });
    box.focus({ preventScroll: true });
  }
}
function valuesOf(row) {
  const body = models.map((_, at) => el("tr", {}, el("th", { scope: "row" }, modelName(at)), ...unitMetrics().map((name) => {
    const cell = numberCell(valueAt(name, at, row), name === "n" || name === "positives" ? count : shown);
    return set(cell, { "data-metric": name });
  })));
  const heads = el("tr", {}, el("th", { scope: "col" }, said("model")), ...unitMetrics().map((name) => el("th", { scope: "col", class: "num" }, say(titled(name)))));
  return el("div", { class: "scroll", tabindex: "0" }, el("table", {}, el("thead", {}, heads), el("tbody", {}, ...body)));
}
const quoted = (text) => (/^[\w@./:=-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);
function commandFor(row) {
  const metric = table.metric === "n" || table.metric === "positives" ? "auc" : table.metric;
  const id = quoted(units.ids[row]);
  if (data.queries.per === "group") return `pingce explain ${quoted(metric)} ${data.sources[0] ? quoted(data.sources[0]) : "PREDICTIONS"} --label … --score … --group … --of-group ${id}`;
  const [truth, ...runs] = data.sources;
  return `pingce explain ${quoted(metric)} ${truth ? quoted(truth) : "QRELS"} ${runs.length ? quoted(runs[0]) : "RUN"} --query ${id}`;
}
const elsewhere = (row) => el("div", {}, el("p", { class: "quiet" }, data.queries.per === "query" ? said("not_here") : ""), el("p", {}, said("command"), " ", el("code", {}, commandFor(row))));

const shade = (grade) => (grade === null ? "" : "g" + Math.max(0, Math.min(5, Math.ceil(grade))));
function listsOf(found) {
  const side = found.models.map((own, at) => {
    const head = el("div", {}, modelName(at), el("small", {}, ` ${count(own.list.length)} / ${count(own.returned)}`));
    if (!own.returned) return el("div", { "data-list": models[at] }, head, el("p", { class: "quiet" }, said("unanswered")));
    const rows = own.list.map(([item, grade, score, tied], rank) => el("tr", {},
      el("td", {}, rank + 1), el("td", { title: item.slice(0, 300) }, isolated(item)),
      el("td", { class: shade(grade) }, grade === null ? "" : tick(grade)),
      el("td", {}, score === null ? "" : tied ? "= " + brief(score) : brief(score))));
    return el("div", { "data-list": models[at] }, head, el("table", { class: "list" }, el("tbody", {}, ...rows)));
  });
  const judged = found.models[0];
  const rows = judged.judged.map(([item, grade], at) => el("tr", {}, el("td", {}, at + 1), el("td", { title: item.slice(0, 300) }, isolated(item)), el("td", { class: shade(grade) }, tick(grade))));
  side.push(el("div", {}, said("missed"), el("small", {}, ` ${count(judged.judged.length)} / ${count(judged.of)}`), el("table", { class: "list" }, el("tbody", {}, ...rows))));
  return el("div", { class: "side" }, ...side);
}

function workedOf(found) {
  const first = data.queries.metric;
  const parts = found.models.map((own, at) => own.worked && el("details", { class: "worked", "data-worked": models[at], open: at === 0 || models.length <= 2 },
    el("summary", {}, modelName(at), " ", el("code", {}, first), " = ", el("b", { "data-value": own.worked.value === null ? "" : String(own.worked.value) }, shown(own.worked.value))),
    ...own.worked.steps.map(stepOf), ...own.worked.notes.map((note) => el("p", { class: "fine" }, say(note)))));
  const more = table.metric !== first ? el("p", { class: "quiet" }, said("other_metric"), " ", el("code", {}, commandFor(table.chosen))) : null;
  return [el("h4", {}, said("worked")), more, el("div", { class: "two" }, ...parts)];
}
const plainly = (value) => (value === null ? "–" : typeof value === "string" ? value : Number.isInteger(value) ? String(value) : shown(value));
function stepOf(step) {
  if (step.text) return el("p", {}, say(step.text));
  if (step.template) {
    const filled = step.template.map((text) => { let at = 0; return text.replace(/\{\}/g, () => plainly(step.numbers[at++])); });
    return el("p", { class: "line" }, say(step.name), filled[0] ? " = " : "", say(filled), " = ",
      el("b", { "data-value": step.value === null ? "" : String(step.value) }, plainly(step.value)));
  }
  const heads = step.columns.map(([, en, zh]) => el("th", { scope: "col" }, say([en, zh])));
  const rows = step.rows.map(([counts, ...cells]) => el("tr", { class: counts ? null : "skipped" }, ...cells.map((cell) =>
    el("td", { class: typeof cell === "number" ? "num" : null }, typeof cell === "string" ? isolated(cell) : plainly(cell)))));
  return el("div", {}, el("h4", {}, say(step.title)),
    el("div", { class: "scroll", tabindex: "0" }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows))),
    step.more ? el("p", { class: "fine" }, `+ ${step.more} `, said("rows_more")) : null,
    step.note ? el("p", { class: "fine" }, say(step.note)) : null);
}
