import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { breaches } from '../../../evaluation/testing/reports/contracts.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { damagedJournal } from '../../../evaluation/testing/suites/varied-journals.ts';
import { holdsOf } from '../../../evaluation/testing/tools/busy-machine.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { serviceRecord } from '../../../kernel/findings/record.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import type { JournalLine } from '../model/journal.ts';
import { judge } from './judge.ts';

const specification = await loadSpecification();
const judged = (lines: readonly JournalLine[]): RunRecord =>
  judge({ lines, damage: [] }, specification, { strict: false });

/** Journals of real runs: one that conforms, and some that do not, each in another chapter. */
const FAULTS = ['creations-not-counted', 'one-too-few', 'window-of-half-a-minute'] as const;
const journals: readonly (readonly JournalLine[])[] = [
  (await virtualRun({ withDisposableKey: true })).lines,
  (await virtualRun({ algorithm: 'token-bucket' })).lines,
  ...(await Promise.all(FAULTS.map(async (id) => (await virtualRun({ fault: findFault(id) })).lines))),
];
const anyJournal = fc.constantFrom(...journals);

test('a damaged journal is judged all the same, and the report keeps its contract', async () => {
  await holdsOf(fc.tuple(anyJournal, fc.integer({ min: 1 })), 40, ([lines, seed]) => {
    const record = judged(damagedJournal(lines, `${seed}`));
    assert.deepEqual(breaches(serviceRecord, JSON.parse(JSON.stringify(record))), []);
  });
});

test('a journal of another version of the suite or the specification is judged, and the record says so', () => {
  for (const [head, ...rest] of journals) {
    assert.ok(head?.kind === 'run');
    const older = judged([{ ...head, suite: { ...head.suite, version: '0.0.1' } }, ...rest]);
    const amended = judged([
      { ...head, spec: { ...head.spec, digest: `sha256:${'1'.repeat(64)}` } },
      ...rest,
    ]);
    assert.match(older.remarks.join(' '), /recorded by version 0\.0\.1 of the suite and judged by version/);
    assert.match(amended.remarks.join(' '), /recorded with another version of the specification/);
    assert.deepEqual(older.requirements, judged([head, ...rest]).requirements);
  }
});

const { lines } = await virtualRun({});
const isOf = (line: JournalLine, probe: string): boolean =>
  line.kind === 'exchange' && (probe === '' || line.probe === probe);

/** The journal without a probe (all of them where it has no name), in what it states and in what it holds, numbered anew. */
const without = (probe: string): readonly JournalLine[] =>
  edit.all(
    edit.run((run) => ({ ...run, probes: run.probes.filter(({ id }) => probe !== '' && id !== probe) })),
    edit.without((one) => isOf(one, probe)),
  )(lines);

/** The journal without the exchanges of some steps, numbered anew. */
const withoutSteps = (...steps: readonly string[]): readonly JournalLine[] =>
  edit.without(({ step }) => steps.includes(step))(lines);

/** The journal without the first exchange of a probe. */
const shortened = (probe: string): edit.Change => edit.without(edit.first(edit.asked(probe)));

const at = lines.findIndex((line) => isOf(line, 'rejections'));
const [before = [], moved = [], after = []] = [
  lines.slice(0, at),
  lines.slice(at, at + 2),
  lines.slice(at + 2),
];

const rows: Readonly<
  Record<string, readonly [journal: readonly JournalLine[], sentence: RegExp | undefined]>
> = {
  'everything that a run records': [lines, undefined],
  'everything that a run records in which no 429 came': [
    (await virtualRun({ fault: findFault('one-too-many'), withoutExhaustedKey: true })).lines,
    undefined,
  ],
  'no exchange, and no probe': [without(''), /states no requests of preflight, first-creation/],
  'no probe with other spellings': [
    without('other-spellings'),
    /states no requests of other-spellings, which/,
  ],
  'no key in a cookie': [
    withoutSteps('cookie'),
    /invalid-credentials sends 18 requests, and the journal has 17/,
  ],
  'no creation with a key in a cookie': [withoutSteps('creation: cookie'), /The probe other-spellings sends/],
  'no request that is the key itself where it has no letters': [
    withoutSteps('key in another case'),
    undefined,
  ],
  'no request that is the key itself where it has nine characters and ends in the wildcard': [
    withoutSteps('first half of the key and a wildcard'),
    undefined,
  ],
  'a request less than a probe states, which sends as much as the quota allows': [
    shortened('first-batch')(lines),
    undefined,
  ],
  'a request less than a probe states, after a response that was lost': [
    edit.all(
      edit.at(edit.first(edit.asked('creations')), edit.silent('reset')),
      shortened('rejections'),
    )(lines),
    undefined,
  ],
  'two lines in another order': [[...before, ...moved.toReversed(), ...after], /were moved or repeated/],
  'a response before its request': [
    lines.map((line) =>
      line.kind === 'exchange' && line.n === 9
        ? { ...line, received: { ...line.received, mono: line.sent.mono - 1 } }
        : line,
    ),
    /The times of exchange 9 are those of no run/,
  ],
  'a line after its end': [[...lines, ...moved], /has no last line/],
};

for (const [what, [journal, sentence]] of Object.entries(rows)) {
  test(`a journal with ${what} ${sentence === undefined ? 'lacks nothing' : 'is incomplete'}`, () => {
    const { outcome, lacking, remarks } = judge({ lines: journal, damage: [] }, specification, {
      strict: false,
    });
    assert.equal(lacking, sentence === undefined ? undefined : true);
    if (journal === lines) assert.equal(outcome, 'conforms');
    if (lacking === true) assert.equal(outcome, 'incomplete');
    if (sentence !== undefined) assert.match(remarks.join('\n'), sentence);
  });
}

/** What the run as a whole adds to what a judge finds. */
const ofTheRun: Readonly<
  Record<string, readonly [journal: readonly JournalLine[], id: string, verdict: string, because: RegExp]>
> = {
  'the test was not part of it': [without('creations'), 'MEDIA-3', 'not-tested', /did not include the test/],
  'other tests of the requirement were part of it': [
    edit.at(({ step }) => step === 'name alone', edit.silent('reset'))(lines),
    'CREATE-2',
    'inconclusive',
    /no response/i,
  ],
  'another server answered': [
    edit.at(() => true, edit.status(404), edit.header('Content-Type', 'text/html'))(lines),
    'LIST-1',
    'inconclusive',
    /404/,
  ],
  'it ended before anything was accepted': [
    edit.all(edit.cutAfter('preflight'), edit.at(edit.asked('preflight'), edit.status(404)))(lines),
    'LIST-1',
    'inconclusive',
    /^The run ended before it showed that the target is the service\. Expected 200/,
  ],
};

for (const [what, [journal, id, verdict, because]] of Object.entries(ofTheRun)) {
  test(`${id} of a run is ${verdict} where ${what}`, () => {
    const found = judged(journal).requirements.find((one) => one.id === id);
    assert.equal(found?.verdict, verdict, found?.because);
    assert.match(found.because, because);
  });
}
