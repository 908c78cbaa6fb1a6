import type { Verdict } from '../../../kernel/findings/record.ts';
import type { Specification } from '../../../spec/specification.ts';
import { seededBy } from '../../testing/suites/seeded.ts';
import { simulatedVerdicts } from './simulate.ts';
import type { Subject } from './subjects.ts';

/** What the judges find in many simulated clients of one kind. */
export interface SimulatedResult {
  /** The requirements that every client of this kind violates. */
  readonly violates: readonly string[];
  readonly clients: number;
  /** Clients that fail a requirement that they keep. */
  readonly falseFails: number;
  /** By requirement: how many clients got each verdict. */
  readonly verdicts: Readonly<Record<string, Readonly<Partial<Record<Verdict, number>>>>>;
}

/** Judges so many clients of one kind. The same count gives the same result on every machine. */
export function tallySubject(subject: Subject, count: number, specification: Specification): SimulatedResult {
  const random = seededBy(subject.name);
  const verdicts: Record<string, Partial<Record<Verdict, number>>> = {};
  let falseFails = 0;
  for (let drawn = 0; drawn < count; drawn += 1) {
    const found = simulatedVerdicts(subject.draw(random), specification, random);
    let falseFail = false;
    for (const [id, verdict] of found) {
      const tally = verdicts[id] ?? {};
      verdicts[id] = { ...tally, [verdict]: (tally[verdict] ?? 0) + 1 };
      if (verdict === 'fail' && !subject.violates.some((violated) => violated === id)) falseFail = true;
    }
    if (falseFail) falseFails += 1;
  }
  return { violates: subject.violates, clients: count, falseFails, verdicts };
}
