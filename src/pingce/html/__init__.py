"""The HTML report: one file, interactive, offline. The call is `pingce.report(truth, runs, path="report.html")`."""
