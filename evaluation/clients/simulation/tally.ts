import type { Verdict } from '../../../kernel/findings/record.ts';
import type { Specification } from '../../../spec/specification.ts';
import { seededBy } from '../../testing/suites/seeded.ts';
import type { SimulatedResult } from './results.ts';
import { simulatedVerdicts } from './simulate.ts';
import type { Subject } from './subjects.ts';

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
  return { name: subject.name, violates: subject.violates, clients: count, falseFails, verdicts };
}
