import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { FaultEntry } from '../catalogue/index.ts';
import { describeFaults, findFault } from '../catalogue/index.ts';
import { entry } from '../spec/register.ts';
import type { Specification } from '../spec/specification.ts';
import { loadSpecification } from '../spec/specification.ts';
import type { RunRecord } from '../suites/index.ts';
import { judge, readJournal } from '../suites/index.ts';
import { runWith } from './simulation/run-options.ts';
import { virtualRun } from './simulation/virtual-run.ts';
import type { FaceTest } from './testing/playwright/run-face.ts';
import { runFace, verdictOf } from './testing/playwright/run-face.ts';

// Both faces must give the same verdict on every requirement. Both judge a journal, so one recorded run for each fault
// is judged by both. A Playwright run over HTTP has tests of its own.

/** Every fault where PROVE_ALL_FACES is 1; otherwise one of each kind that a face shows differently. */
function sample(): readonly FaultEntry[] {
  // Simulation has no bytes, and an undecidable fault shows in no verdict.
  const all = describeFaults().filter(
    ({ visibleIn, undecidable }) => visibleIn === 'responses' && undecidable === undefined,
  );
  if (process.env['PROVE_ALL_FACES'] === '1') return all;
  // Playwright starts a worker anew after each test that fails, so those with the fewest failing tests are chosen.
  const fewestFirst = all.toSorted((one, other) => one.breaks.length - other.breaks.length);
  return fewestFirst.filter(
    (fault, at) => fewestFirst.findIndex((one) => kindOf(one) === kindOf(fault)) === at,
  );
}

/** How a fault shows: violations, warnings or both, a ban, which needs a disposable key, and a warning about an observation. */
function kindOf({ breaks, warnings }: FaultEntry): string {
  const ids = [...breaks, ...warnings];
  const about = ['BAN', 'DEP'].map((chapter) => ids.some((id) => id.startsWith(chapter)));
  return [breaks.length > 0, warnings.length > 0, ...about].join();
}

let folder = '';
let specification: Specification;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faces-'));
  specification = await loadSpecification();
});
after(() => rm(folder, { recursive: true, force: true }));

/** The journal of a simulated run against the reference server with this fault, with windows of real length. */
async function journalOf(id: string): Promise<string> {
  const fault = findFault(id);
  const { lines } = await virtualRun({ fault, ...runWith(fault.needs) });
  const path = join(await mkdtemp(join(folder, `${id}-`)), 'journal.ndjson');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** `id verdict: because`, one for each requirement that certify judges. */
const verdictsOfCertify = ({ requirements }: RunRecord): readonly string[] =>
  requirements
    .filter(({ chapter }) => chapter !== CLIENTS)
    .map(({ id, verdict, because }) => `${id} ${verdict}: ${because}`);

const CLIENTS = "The client's side";

/** The same, as a reader of Playwright's report takes it from statuses, errors and annotations. */
const verdictsOfPlaywright = (tests: readonly FaceTest[]): readonly string[] =>
  tests
    .filter(({ annotations }) => annotations.every(({ type }) => type !== 'observed'))
    .map((one) => `${one.id} ${verdictOf(one)}: ${becauseOf(one)}`);

function becauseOf(one: FaceTest): string {
  const verdict = verdictOf(one);
  const type = verdict === 'not-tested' ? 'skip' : verdict;
  return one.annotations.find((annotation) => annotation.type === type)?.description ?? '';
}

/** `id: value`, and the warning of a value that is malformed by its own standard. */
/** What binds clients has no test in Playwright. */
const observationsOfCertify = ({ observations }: RunRecord): readonly string[] =>
  observations
    .filter(({ id }) => entry(id).judged === 'by certify')
    .flatMap(({ id, value, warning }) => [
      `${id} observed: ${value}`,
      ...(warning === undefined ? [] : [`${id} warn: ${warning}`]),
    ]);

const observationsOfPlaywright = (tests: readonly FaceTest[]): readonly string[] =>
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
    assert.deepEqual(verdictsOfPlaywright(tests), verdictsOfCertify(record), output);
    assert.deepEqual(observationsOfPlaywright(tests), observationsOfCertify(record));
    assert.equal(exitCode, record.outcome === 'conforms' ? 0 : 1);
  });
  return record;
}

describe('certify and Playwright give the same verdicts', { concurrency: 2 }, () => {
  for (const { id } of sample()) {
    test(id, async () => {
      const { requirements, observations } = await compare(await journalOf(id), false);
      const shown =
        requirements.some(({ verdict }) => !['pass', 'not-tested'].includes(verdict)) ||
        observations.some(({ warning }) => warning !== undefined);
      assert(shown, 'the journal shows no fault, so that comparing it proves nothing');
    });
  }

  test('with strict judging, too', async () => {
    const warned = describeFaults().find(({ warnings }) => warnings.length > 0);
    assert(warned !== undefined);
    const record = await compare(await journalOf(warned.id), true);
    const [first] = warned.warnings;
    assert.equal(record.requirements.find(({ id }) => id === first)?.verdict, 'fail');
  });
});
