import { durationText } from '../../kernel/basics/duration-text.ts';
import { groupedNumber } from '../../kernel/basics/text.ts';
import type { Limits } from '../../spec/plans.ts';
import { baseUrlText } from '../../suites/service/inputs/base-url.ts';
import type { Subject } from './subject.ts';

/** What is tested or loaded. */
export function subjectText(subject: Subject): string {
  if (subject.kind === 'target') return baseUrlText(subject.access.baseUrl);
  const { description } = subject.behaviour;
  const behaviour = description.length === 0 ? '' : ` (${description.join(', ')})`;
  return `the bundled reference server${behaviour}; name your own service with --target URL`;
}

/** The plan and its limits, with the length of the windows where they differ from a minute and a day. */
export const planText = (plan: string, limits: Limits): string =>
  `${plan}: ${groupedNumber(limits.perMinute)} requests in ${windowText(limits.minuteSeconds, 60, 'a minute')}, ${groupedNumber(limits.perDay)} in ${windowText(limits.daySeconds, 86_400, 'a day')}`;

/** The last line of `--dry-run`, after the preview. @param lacksKeys whether a key or a secret header is not set. */
export const dryRunText = (done: 'sent' | 'started', lacksKeys = false): string =>
  `Nothing was ${done}. ${lacksKeys ? 'Before a run, set its keys: PETSTORE_API_KEY, or the variables that you named.' : 'Without --dry-run, the run starts at once.'}`;

/** What a shortened minute means for the verdicts. */
export const demonstrationText = (minuteSeconds: number): string =>
  `Demonstration: the minute of the bundled server lasts ${minuteSeconds} s here, so verdicts about time rest on weaker evidence than with a real minute. For a real one, give --plans a plan file with "minuteSeconds": 60.`;

const windowText = (seconds: number, usual: number, name: string): string =>
  seconds === usual ? name : `${name} of ${durationText(seconds)}`;

/** `6.2 %`; a small percentage keeps two significant digits. */
export function percentage(part: number, total: number): string {
  const percent = (100 * part) / total;
  return `${percent >= 10 ? Math.round(percent) : Number(percent.toPrecision(2))} %`;
}
