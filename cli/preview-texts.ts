import type { Limits } from '../spec/plans.ts';
import { baseUrlText } from '../suites/inputs/base-url.ts';
import type { Subject } from './subject.ts';
import { secondsText } from './terminal.ts';

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
