import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { FaultRow } from '../catalogue/index.ts';
import { describeFaults, findFault } from '../catalogue/index.ts';
import type { Specification } from '../spec/specification.ts';
import { loadSpecification } from '../spec/specification.ts';
import type { RunRecord } from '../suites/index.ts';
import { judge, readJournal } from '../suites/index.ts';
import { virtualRun } from './simulation/virtual-run.ts';
import type { FaceTest } from './testing/playwright/run-face.ts';
import { runFace, verdictOf } from './testing/playwright/run-face.ts';

// certify and Playwright must show the same verdicts. Both judge a journal, so one run against each fault serves both.
// A run of Playwright over HTTP is tested elsewhere.

/** All faults if PROVE_ALL_FACES is 1; otherwise the first fault of each kind that is shown differently. */
function sample(): readonly FaultRow[] {
  // Virtual time has no faults of bytes, and undecidable faults change no verdict.
  const all = describeFaults().filter(
    ({ carriedBy, undecidable }) => carriedBy === 'answers' && undecidable === undefined,
  );
  if (process.env['PROVE_ALL_FACES'] === '1') return all;
  return all.filter((fault, at) => all.findIndex((one) => kindOf(one) === kindOf(fault)) === at);
}

/** What of a fault is shown: violations, warnings or both, a ban, which needs a key to lose, and a warning of what is only observed. */
function kindOf({ breaks, warns }: FaultRow): string {
  const ids = [...breaks, ...warns];
  const about = ['BAN', 'DEP'].map((chapter) => ids.some((id) => id.startsWith(chapter)));
  return [breaks.length > 0, warns.length > 0, ...about].join();
}

let folder = '';
let specification: Specification;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faces-'));
  specification = await loadSpecification();
});
after(() => rm(folder, { recursive: true, force: true }));

/** The journal of a run in virtual time against the reference server with this fault. */
async function journalOf(id: string): Promise<string> {
  const fault = findFault(id);
  const { lines } = await virtualRun({
    fault,
    withDisposableKey: fault.breaks.some((one) => one.startsWith('BAN')),
  });
  const path = join(await mkdtemp(join(folder, `${id}-`)), 'journal.ndjson');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** `id verdict: because` for each requirement that certify judges. */
const saidByCertify = ({ requirements }: RunRecord): readonly string[] =>
  requirements
    .filter(({ chapter }) => chapter !== CLIENTS)
    .map(({ id, verdict, because }) => `${id} ${verdict}: ${because}`);

const CLIENTS = "The client's side";

/** The same, from the statuses, errors and annotations of Playwright's report. */
const saidByPlaywright = (tests: readonly FaceTest[]): readonly string[] =>
  tests
    .filter(({ annotations }) => annotations.every(({ type }) => type !== 'observed'))
    .map((one) => `${one.id} ${verdictOf(one)}: ${becauseOf(one)}`);

function becauseOf(one: FaceTest): string {
  const verdict = verdictOf(one);
  const type = verdict === 'not-tested' ? 'skip' : verdict;
  return one.annotations.find((annotation) => annotation.type === type)?.description ?? '';
}

/** `id: value`, with the warning about a value that is malformed according to its standard. */
const observedByCertify = ({ observations }: RunRecord): readonly string[] =>
  observations.flatMap(({ id, value, warning }) => [
    `${id} observed: ${value}`,
    ...(warning === undefined ? [] : [`${id} warn: ${warning}`]),
  ]);

const observedByPlaywright = (tests: readonly FaceTest[]): readonly string[] =>
  tests
    .filter(({ annotations }) => annotations.some(({ type }) => type === 'observed'))
    .flatMap(({ id, annotations }) =>
      annotations
        .filter(({ type }) => type !== 'specification')
        .map(({ type, description }) => `${id} ${type}: ${description}`),
    );

async function compare(journal: string, strict: boolean): Promise<RunRecord> {
  const record = judge(readJournal(journal), specification, { strict });
  const variables = { PETSTORE_JOURNAL: journal, ...(strict ? { PETSTORE_STRICT: '1' } : {}) };
  await runFace(variables, [], ({ tests, exitCode, output }) => {
    assert.deepEqual(saidByPlaywright(tests), saidByCertify(record), output);
    assert.deepEqual(observedByPlaywright(tests), observedByCertify(record));
    assert.equal(exitCode, record.outcome === 'conforms' ? 0 : 1);
  });
  return record;
}

describe('certify and Playwright show the same verdicts', { concurrency: 2 }, () => {
  for (const { id } of sample()) {
    test(id, async () => {
      const { requirements, observations } = await compare(await journalOf(id), false);
      const shown =
        requirements.some(({ verdict }) => !['pass', 'not-tested'].includes(verdict)) ||
        observations.some(({ warning }) => warning !== undefined);
      assert(shown, 'the journal shows no fault, so that comparing it proves nothing');
    });
  }

  test('with --strict', async () => {
    const warned = describeFaults().find(({ warns }) => warns.length > 0);
    assert(warned !== undefined);
    const record = await compare(await journalOf(warned.id), true);
    const [first] = warned.warns;
    assert.equal(record.requirements.find(({ id }) => id === first)?.verdict, 'fail');
  });
});
