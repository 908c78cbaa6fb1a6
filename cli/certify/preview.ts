import { join } from 'node:path';
import type { Limits } from '../../spec/plans.ts';
import { baseUrlText } from '../../suites/given/base-url.ts';
import type { Subject } from '../subject.ts';
import { columns, counted, secondsText } from '../terminal.ts';
import type { Settings } from './settings.ts';

/**
 * What a run will send, how long it takes at least and what it leaves behind: said before the first request.
 * @param known what the ledger knows of the key's day, if anything.
 */
export function previewLines(settings: Settings, known: string | undefined): readonly string[] {
  const { examination, folder, openapi, demonstration } = settings;
  const { means, probes, total } = examination;
  const { limits } = means;
  const rows = [
    ['Target', subjectText(settings.subject)],
    ['Plan', planText(means.plan, limits)],
    ['Probes', `${probes.length}, asked once each`],
    [
      'With the key',
      `${counted(total.keyed, 'request')} (${share(total.keyed, limits.perDay)} of the plan's day); more, at most ${examination.keyedAtMost.toLocaleString('en')}, where the limit is refilled meanwhile, answers are slow or the target does not keep its limit`,
    ],
    ...(total.others > 0 ? [['Other keys', counted(total.others, 'request')]] : []),
    ['Without a key', `${counted(total.strangers, 'request')} without a valid key`],
    ['Takes', `at least ${secondsText(examination.seconds)}: a window of the limit has to pass`],
    [
      'Remains',
      `${counted(total.leaves, 'category', 'categories')} on the target, named pc-${means.tag}-…: the specification has no way to delete one`,
    ],
    ...(openapi === undefined ? [] : [['OpenAPI', `${means.openapi?.source ?? ''}, read without any key`]]),
    ...(known === undefined ? [] : [['Ledger', known]]),
    ['Folder', join(folder, '/')],
  ];
  return [...columns(rows), ...(demonstration ? ['', demonstrationText(limits.minuteSeconds)] : []), ''];
}

/** What is examined or loaded. */
export function subjectText(subject: Subject): string {
  if (subject.kind === 'target') return baseUrlText(subject.reach.baseUrl);
  const { told } = subject.behaviour;
  const how = told.length === 0 ? '' : ` (${told.join(', ')})`;
  return `the bundled reference server${how}; --target URL names a service of yours`;
}

/** Plan and numbers, with the windows where they are not the usual ones. */
export const planText = (plan: string, limits: Limits): string =>
  `${plan}: ${limits.perMinute.toLocaleString('en')} requests in ${windowText(limits.minuteSeconds, 60, 'a minute')}, ${limits.perDay.toLocaleString('en')} in ${windowText(limits.daySeconds, 86_400, 'a day')}`;

/** What a short window is to be thought of. */
export const demonstrationText = (minuteSeconds: number): string =>
  `Demonstration: the server's minute lasts ${minuteSeconds} s here, so the proofs about time are weaker than with a real one; --plans spec/plans.json takes the real minute.`;

const windowText = (seconds: number, usual: number, name: string): string =>
  seconds === usual ? name : `${name} of ${secondsText(seconds)}`;

/** `6.2 %`; small shares keep a digit that says something. */
export function share(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  return `${percent >= 10 ? Math.round(percent) : Number(percent.toPrecision(2))} %`;
}
