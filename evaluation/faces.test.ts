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

/** The fault with warnings that is judged strictly, too. */
const warned = describeFaults().find(({ warnings }) => warnings.length > 0);
assert(warned !== undefined);
const STRICT = `${warned.id}, judged strictly`;

/** What both faces say about the journal of each project. */
const compared = new Map<string, { readonly record: RunRecord; readonly tests: readonly FaceTest[] }>();

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

const CLIENTS = "The client's side";

/** What certify says: of a requirement its verdict and why, of an observation its value, and a warning where that is malformed by its own standard. */
const linesOfCertify = ({ requirements, observations }: RunRecord): readonly string[] => [
  ...requirements
    .filter(({ chapter }) => chapter !== CLIENTS)
    .map(({ id, verdict, because }) => `${id} ${verdict}: ${because}`),
  ...observations
    // What binds clients has no test in Playwright.
    .filter(({ id }) => entry(id).judged === 'by certify')
    .flatMap(({ id, value, warning }) => [
      `${id} observed: ${value}`,
      ...(warning === undefined ? [] : [`${id} warn: ${warning}`]),
    ]),
];

/** The same, as a reader of Playwright's report takes it from the status, the error and the annotations of a test. */
function linesOfTest(one: FaceTest): readonly string[] {
  const stated = one.annotations.filter(({ type }) => type !== 'specification');
  if (stated.some(({ type }) => type === 'observed'))
    return stated.map(({ type, description }) => `${one.id} ${type}: ${description}`);
  const verdict = verdictOf(one);
  const because = stated.find(({ type }) => type === (verdict === 'not-tested' ? 'skip' : verdict));
  return [`${one.id} ${verdict}: ${because?.description ?? ''}`];
}

/** Both faces give these verdicts on the journal of a project, each with its own names of options. @returns the record of certify. */
function assertSame(project: string): RunRecord {
  const found = compared.get(project);
  assert(found !== undefined);
  const { record, tests } = found;
  assert.deepEqual(
    tests.flatMap(linesOfTest).map(inOwnNames).toSorted(),
    linesOfCertify(record).map(inOwnNames).toSorted(),
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
