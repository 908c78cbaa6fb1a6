import { virtualRun } from '../../evaluation/simulation/virtual-run.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { renderHtml } from '../../reports/html/page.ts';
import { renderJson } from '../../reports/json.ts';
import { renderJunit } from '../../reports/junit.ts';
import { renderSummary } from '../../reports/summary.ts';

/** The folder of the example report, which README shows. */
const FOLDER = 'reports/example';

/** A fault that a popular limiter has by default: Reset as a number of seconds instead of a timestamp. */
const FAULT = 'reset-in-seconds-left';

/**
 * The files of the example report, by path. The report is about a real run
 * against the reference server with one injected fault, in virtual time, so the
 * output is reproducible byte for byte.
 */
export async function exampleReport(): Promise<ReadonlyMap<string, string>> {
  const { record } = await virtualRun({ fault: findFault(FAULT) });
  return new Map([
    [`${FOLDER}/report.html`, renderHtml(record)],
    [`${FOLDER}/report.json`, renderJson(record)],
    [`${FOLDER}/junit.xml`, renderJunit(record)],
    [`${FOLDER}/summary.md`, renderSummary(record)],
  ]);
}
