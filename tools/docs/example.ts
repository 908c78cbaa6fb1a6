import { findFault } from '../../catalogue/index.ts';
import { virtualRun } from '../../evaluation/simulation/virtual-run.ts';
import { renderHtml, renderJson, renderJunit, renderSummary } from '../../reports/index.ts';

/** Where the example of a report lies, for README to show. */
const FOLDER = 'reports/example';

/** A mistake that a popular limiter makes as shipped: Reset as seconds left, where a timestamp belongs. */
const FAULT = 'reset-in-seconds-left';

/**
 * The files of the example report, by path: a real examination of the
 * reference server with one fault, in virtual time, so that everybody makes
 * the same bytes.
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
