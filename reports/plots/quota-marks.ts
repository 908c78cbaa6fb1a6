import type { Interval } from './intervals.ts';
import { merged } from './intervals.ts';
import type { Mark, Point } from './model.ts';

/** With more window ends than this, the limiter has no windows; it is a bucket, for example. */
export const MOST_WINDOW_ENDS = 24;

/** What is drawn of the quota of a key, behind its exchanges. Times in seconds. */
interface QuotaReadings {
  /** When the run did not send, and how the legend explains it. */
  readonly pauses: { readonly name: string; readonly spans: readonly Interval[] };
  /** The waits that 429 responses announce. */
  readonly announced: readonly Interval[];
  /** The advertised ends of windows within the section, each once. */
  readonly windowEnds: readonly number[];
  readonly remaining: readonly Point[];
}

/** The quota of a key in a section of a run, for the panel on which its exchanges are drawn. */
export function quotaMarks(section: Interval, readings: QuotaReadings): readonly Mark[] {
  const { pauses, announced, windowEnds, remaining } = readings;
  const shown = (spans: readonly Interval[]): readonly Interval[] =>
    merged(spans).filter(({ from, to }) => to > section.from && from < section.to);
  return [
    { kind: 'spans', name: pauses.name, shade: 'plain', spans: shown(pauses.spans) },
    { kind: 'spans', name: 'announced Retry-After', shade: 'striking', spans: shown(announced) },
    {
      kind: 'rules',
      name: 'Reset',
      stroke: 'dashed',
      at: windowEnds.length > MOST_WINDOW_ENDS ? [] : windowEnds,
    },
    { kind: 'steps', name: 'Remaining', stroke: 'quiet', points: remaining },
  ];
}
