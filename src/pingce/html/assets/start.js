async function start() {
  document.getElementById("lang").addEventListener("click", () => speakIn(chinese() ? "en" : "zh"));
  document.querySelectorAll("main table[data-table]").forEach((table) => copyable(table));
  drawSummary();
  drawThreshold();
  drawCurves();
  drawFields();
  drawCutoffs();
  drawShown();
  drawSlices();
  drawResiduals();
  await drawQueries();
  drawPairs();
  const matrix = document.getElementById("p-matrix");
  if (matrix) copyable(matrix);
  document.body.dataset.ready = "";
}
start();
