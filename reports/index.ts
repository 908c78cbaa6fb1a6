/** Turns the record of a run into files and into the terminal's closing verdict. Never talks to a target, never judges. */
export { ReportError } from './files.ts';
export { renderHtml } from './html/page.ts';
export { renderJson } from './json.ts';
export { renderJunit } from './junit.ts';
export { LOAD_REPORT, readLoadReport } from './load/read.ts';
export { renderLoadVerdict } from './load/verdict.ts';
export { LOAD_REPORTS, loadReportTexts, writeLoadReports } from './load/write.ts';
export { renderPicture } from './picture/plots.ts';
export { renderSummary } from './summary.ts';
export { tame } from './terminal.ts';
export { renderVerdict } from './verdict.ts';
export { REPORTS, reportTexts, writeReports } from './write.ts';
