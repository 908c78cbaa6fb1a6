import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inOwnNames } from '../interfaces/playwright/settings.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import type { FaultEntry } from '../reference-server/catalogue/faults/index.ts';
import { describeFaults, findFault } from '../reference-server/catalogue/faults/index.ts';
import { entry } from '../spec/register.ts';
import { loadSpecification } from '../spec/specification.ts';
import { judge } from '../suites/service/judge/judge.ts';
import { readJournal } from '../suites/service/wire/journal.ts';
import { sampleOf } from '../tools/sample.ts';
import { runWith, virtualRun } from './simulation/virtual-run.ts';
import type { FaceTest } from './testing/cli/run-face.ts';
import { runProjects, verdictOf } from './testing/cli/run-face.ts';
import { temporaryFolder } from './testing/tools/folder.ts';

// Both faces must give the same verdict on every requirement. Both judge a journal, so one recorded run for each fault
// is judged by both. A Playwright run over HTTP has tests of its own.

/** Every fault where PROVE_ALL_FACES is 1; otherwise, of one of each kind that a face shows differently, the share of the day. */
function sample(): readonly FaultEntry[] {
  // Simulation has no bytes, and an undecidable fault shows in no verdict.
  const all = describeFaults().filter(
    ({ visibleIn, undecidable }) => visibleIn === 'responses' && undecidable === undefined,
  );
  if (process.env['PROVE_ALL_FACES'] === '1') return all;
  // Playwright starts a worker anew after each test that fails, so those with the fewest failing tests are chosen.
  const fewestFirst = all.toSorted((one, other) => one.breaks.length - other.breaks.length);
  return sampleOf(
    fewestFirst.filter((fault, at) => fewestFirst.findIndex((one) => kindOf(one) === kindOf(fault)) === at),
  );
}

/** How a fault shows: violations, warnings or both, a ban, which needs a disposable key, and a warning about an observation. */
function kindOf({ breaks, warnings }: FaultEntry): string {
  const ids = [...breaks, ...warnings];
  const about = ['BAN', 'DEP'].map((chapter) => ids.some((id) => id.startsWith(chapter)));
  return [breaks.length > 0, warnings.length > 0, ...about].join();
}

/** What both faces say about one journal. */
interface Compared {
  readonly record: RunRecord;
  readonly tests: readonly FaceTest[];
}

/** The fault with warnings that is judged strictly, too. */
const warned = describeFaults().find(({ warnings }) => warnings.length > 0);
assert(warned !== undefined);
const STRICT = `${warned.id}, judged strictly`;

const compared = new Map<string, Compared>();

const folder = temporaryFolder({ after });

before(async () => {
  const specification = await loadSpecification();
  const projects = [
    ...sample().map(({ id }) => ({ name: id, id, strict: false })),
    { name: STRICT, id: warned.id, strict: true },
  ].map((one, at) => ({ ...one, journal: join(folder, `${at}.ndjson`) }));
  for (const { id, journal } of projects) await writeFile(journal, await journalOf(id));
  const options = Object.fromEntries(
    projects.map(({ name, strict, journal }) => [name, { petstore: { strict, journal } }]),
  );
  await runProjects(options, {}, ({ tests, exitCode, output }) => {
    assert.equal(exitCode, 1, output);
    for (const { name, strict, journal } of projects) {
      const record = judge(readJournal(journal), specification, { strict });
      compared.set(name, { record, tests: tests.filter(({ project }) => project === name) });
    }
  });
});

/** The journal of a simulated run against the reference server with this fault, with windows of real length. */
async function journalOf(id: string): Promise<string> {
  const fault = findFault(id);
  const { lines } = await virtualRun({ fault, ...runWith(fault.needs) });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
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

/** `id: value`, and the warning of a value that is malformed by its own standard. What binds clients has no test in Playwright. */
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

/** Both faces give these verdicts on the journal of a project, each with its own names of options. @returns the record of certify. */
function assertSame(project: string): RunRecord {
  const found = compared.get(project);
  assert(found !== undefined);
  const { record, tests } = found;
  assert.deepEqual(verdictsOfPlaywright(tests).map(inOwnNames), verdictsOfCertify(record).map(inOwnNames));
  assert.deepEqual(
    observationsOfPlaywright(tests).map(inOwnNames),
    observationsOfCertify(record).map(inOwnNames),
  );
  assert.equal(
    tests.some(({ status }) => status === 'failed'),
    record.outcome !== 'conforms',
  );
  return record;
}

describe('certify and Playwright give the same verdicts', () => {
  for (const { id } of sample()) {
    test(id, () => {
      const { requirements, observations } = assertSame(id);
      const shown =
        requirements.some(({ verdict }) => !['pass', 'not-tested'].includes(verdict)) ||
        observations.some(({ warning }) => warning !== undefined);
      assert(shown, 'the journal shows no fault, so that comparing it proves nothing');
    });
  }

  test('with strict judging, too', () => {
    const { requirements } = assertSame(STRICT);
    assert.equal(requirements.find(({ id }) => id === warned.warnings[0])?.verdict, 'fail');
  });
});
