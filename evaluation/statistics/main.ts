import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { conduct } from '../study.ts';
import { reasonsOf } from '../testing/verdicts.ts';
import type { Subject } from './subjects.ts';
import { subjects } from './subjects.ts';
import type { SubjectResult } from './tally.ts';
import {
  COMMITTED_SEED,
  detectsFault,
  meetsThreshold,
  repeatedRuns,
  runTrial,
  unexpectedFails,
} from './tally.ts';
import type { Batch } from './worker.ts';

const idle: ChildProcess[] = [];

/** Tallies a batch in a process of its own, which the next batch takes over. Rejects when the process ends early. */
async function tallyInProcess(batch: Batch): Promise<SubjectResult> {
  const child =
    idle.pop() ?? fork(new URL('./worker.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`A worker process ended early with exit code ${String(code)}.`);
  });
  ended.catch(() => undefined);
  child.send(batch);
  const [tally] = (await Promise.race([once(child, 'message'), ended])) as [SubjectResult];
  idle.push(child);
  return tally;
}

/** Prints what one run of a subject found. @throws {Error} where it failed what the subject keeps. */
async function runOnce(subject: Subject, seed: number, run: number): Promise<undefined> {
  const { record, circumstances } = await runTrial(subject, seed, run);
  console.log(circumstances);
  for (const one of reasonsOf(record, 'fail', 'warn')) console.log(one);
  if (!subject.conforms)
    console.log(detectsFault(subject, record) ? 'The fault was found.' : 'The fault was missed.');
  const unexpected = unexpectedFails(subject, record).length;
  if (unexpected > 0) throw new Error(`Unexpected fails: ${unexpected}.`);
}

await conduct<Subject, SubjectResult, 'seed' | 'kind' | 'run' | 'share'>({
  name: 'statistics',
  folder: 'statistics',
  about: `Runs the suites against conforming services and faults in virtual time, more than 100,000 times. No conforming
service may receive a fail, and no fault that must be found may be missed.

  --kind KIND  only the conforming services (conforming), or only the faults (fault)
  --run K      repeats one run of the subject and prints its findings
  --share S    this share of the runs, such as 0.1
  --seed N     another seed than that of the committed results`,
  subjects,
  nameOf: ({ id }) => id,
  ...{ runs: 1, parallel: availableParallelism() },
  options: { seed: `${COMMITTED_SEED}`, kind: '', run: '', share: '1' },
  // No process has a batch any more.
  during: (measuring) => measuring().finally(() => idle.map((child) => child.kill())),
  measure: async (subject, { options, write }) => {
    const seed = Number(options.seed);
    if (options.kind !== '' && options.kind !== (subject.conforms ? 'conforming' : 'fault')) return undefined;
    if (options.run !== '') return runOnce(subject, seed, Number(options.run));
    if (write && seed !== COMMITTED_SEED)
      throw new Error(`Only results of seed ${COMMITTED_SEED} are stored.`);
    const runs = Math.max(repeatedRuns(subject), Math.ceil(subject.runs * Number(options.share)));
    return tallyInProcess({ subject: subject.id, seed, runs });
  },
  summary: ({ runs, found, unexpected }, { conforms }) =>
    `${runs} runs${conforms ? '' : `, found in ${((100 * found) / runs).toFixed(1)} %`}, ${unexpected} with unexpected fails`,
  wrong: (row, subject) => (meetsThreshold(subject, row) ? [] : ['It misses its threshold.']),
});
