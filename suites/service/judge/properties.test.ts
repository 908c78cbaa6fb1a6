import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { VirtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { anyLines } from '../../../evaluation/testing/suites/journals.ts';
import { seeded } from '../../../evaluation/testing/suites/limiters.ts';
import { body, excerptOf } from '../../../evaluation/testing/suites/synthetic.ts';
import { damagedJournal } from '../../../evaluation/testing/suites/varied-journals.ts';
import { holdsOf } from '../../../evaluation/testing/tools/busy-machine.ts';
import { bodyTextForPeople } from '../../../kernel/exchanges/body.ts';
import type { Exchange, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { Verdict } from '../../../kernel/findings/record.ts';
import { isOfBytes } from '../../../reference-server/catalogue/faults/fault.ts';
import { faults } from '../../../reference-server/catalogue/faults/index.ts';
import { algorithms } from '../../../reference-server/limiters/index.ts';
import { register } from '../../../spec/register.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judgedByClocks } from '../evidence/circumstances.ts';
import { Evidence } from '../evidence/evidence.ts';
import type { JournalLine } from '../model/journal.ts';
import { journalLine } from '../model/journal.ts';
import { observables, requirements } from '../requirements/index.ts';
import { judge } from './judge.ts';

// What holds of every judge, whatever journal it is given. PROPERTY_RUNS makes each of these longer.

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 50);
const specification = await loadSpecification();

function evidenceOf(lines: readonly JournalLine[]): Evidence {
  const [run] = lines;
  assert.ok(run?.kind === 'run');
  return new Evidence(run, lines);
}

/** The verdicts of a record, by id. */
const verdicts = (lines: readonly JournalLine[]): ReadonlyMap<string, Verdict> =>
  new Map(
    judge({ lines, damage: [] }, specification, { strict: false }).requirements.map(({ id, verdict }) => [
      id,
      verdict,
    ]),
  );

/** Everything that a record of it says, as one text. */
const said = (lines: readonly JournalLine[]): string =>
  JSON.stringify(judge({ lines, damage: [] }, specification, { strict: false }));

/** Runs of every algorithm, and of every seventh fault that shows without sockets, so that each judge has something to say. */
const runs: readonly VirtualRun[] = [
  ...algorithms.map((algorithm) => ({ algorithm, withDisposableKey: true })),
  ...faults.flatMap((fault, i) => (isOfBytes(fault) || i % 7 > 0 ? [] : [{ fault }])),
];
const journals = await Promise.all(runs.map(async (run) => (await virtualRun(run)).lines));
/** The verdicts on each of them, which many changed journals are compared with. */
const known = new Map<readonly JournalLine[], ReturnType<typeof verdicts>>();

function verdictsOnWhole(lines: readonly JournalLine[]): ReturnType<typeof verdicts> {
  const found = known.get(lines) ?? verdicts(lines);
  if (journals.includes(lines)) known.set(lines, found);
  return found;
}
/** Which run, and how it is damaged: not at all for 0. Small, so that a counterexample can be read. */
const anyJournal = fc.record({ run: fc.nat({ max: runs.length - 1 }), damage: fc.constant(0) });
const anyDamaged = fc.record({ run: fc.nat({ max: runs.length - 1 }), damage: fc.nat({ max: 1_000_000 }) });

function linesOf({ run, damage }: { readonly run: number; readonly damage: number }): readonly JournalLine[] {
  const lines = journals[run] ?? [];
  return damage === 0 ? lines : damagedJournal(lines, `${damage}`);
}

test('all judges of the register are here', () => {
  const judged = register.filter(({ judged }) => judged === 'by certify');
  assert.equal(requirements.length + observables.length, judged.length);
});

test('no judge throws, whatever the journal, and each cites only what is there', async () => {
  await holdsOf(anyLines, 2 * RUNS, (lines) => {
    assert.ok(lines.every(journalLine.is));
    const evidence = evidenceOf(lines);
    const there = new Set([...evidence.exchanges, ...evidence.recorded]);
    for (const requirement of requirements) {
      const { id } = requirement;
      const { exchanges, shows = [], ...found } = judgedByClocks(requirement, evidence);
      assert.ok(VERDICTS.has(found.verdict), `${id} ${found.verdict}`);
      for (const text of Object.values(found)) assert.ok(text.length > 0, `${id} ${found.verdict}`);
      assert.ok(
        [...exchanges, ...shows].every((exchange) => there.has(exchange)),
        id,
      );
    }
    for (const { id, observe } of observables) assert.ok(observe(evidence).value.length > 0, id);
  });
});

const VERDICTS: ReadonlySet<string> = new Set(['pass', 'fail', 'warn', 'inconclusive', 'not-tested']);

test('judging twice says the same, byte for byte', async () => {
  await holdsOf(anyDamaged, RUNS, (one) => {
    const lines = linesOf(one);
    const copy = JSON.parse(JSON.stringify(lines)) as readonly JournalLine[];
    assert.equal(said(copy), said(lines));
  });
});

const mapHeaders = (
  lines: readonly JournalLine[],
  change: (line: HeaderLine) => HeaderLine,
): readonly JournalLine[] =>
  lines.map((line) =>
    line.kind !== 'exchange' || line.outcome.kind === 'no-response'
      ? line
      : { ...line, outcome: { ...line.outcome, headers: line.outcome.headers.map(change) } },
  );

/** Each letter in upper or lower case by lot; the same text the same way, since a line may stand there twice. */
const cased = (text: string, seed: number): string => {
  const next = seeded(seed);
  return [...text].map((c) => (next() < 0.5 ? c.toLowerCase() : c.toUpperCase())).join('');
};

test('the case of header names changes no verdict', async () => {
  await holdsOf(fc.tuple(anyDamaged, fc.integer({ min: 1 })), RUNS, ([one, seed]) => {
    const lines = linesOf(one);
    const changed = mapHeaders(lines, ([name, value]) => [cased(name, seed), value]);
    assert.deepEqual(verdicts(changed), verdicts(lines));
  });
});

/** The same JSON with the keys of every object in another order; equal objects stay equal. */
function shuffled(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, seed));
  if (typeof value !== 'object' || value === null) return value;
  const next = seeded(seed);
  const entries = Object.entries(value).map(([key, one]) => [next(), key, shuffled(one, seed)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, key, one]) => [key, one]));
}

/** The text of a body with its keys in another order, where it is JSON whose numbers and keys survive that. */
function reordered(text: string, seed: number): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(shuffled(value, seed)) : text;
  } catch {
    return text;
  }
}

test('the order of keys changes no verdict, in bodies and in the lines of the journal', async () => {
  await holdsOf(fc.tuple(anyDamaged, fc.integer({ min: 1 })), RUNS, ([one, seed]) => {
    const lines = linesOf(one);
    const changed = lines.map((line) =>
      line.kind !== 'exchange' || line.outcome.kind === 'no-response' || line.outcome.body.cut
        ? line
        : { ...line, outcome: { ...line.outcome, body: body(reordered(line.outcome.body.text, seed)) } },
    );
    const bare = (all: readonly JournalLine[]) =>
      all.map((line) =>
        line.kind !== 'exchange' || line.outcome.kind === 'no-response' || line.outcome.body.cut
          ? line
          : { ...line, outcome: { ...line.outcome, body: body(line.outcome.body.text) } },
      );
    const same = shuffled(changed, seed) as readonly JournalLine[];
    assert.deepEqual(verdicts(same), verdicts(bare(lines)));
  });
});

/** An answered list, as a caller of a plan that no judge knows has got it. */
function toSomebodyElse(exchange: Exchange): Exchange {
  return { ...exchange, probe: 'somebody-else', caller: 'plan:unheard-of' };
}

test('conforming exchanges that no judge names change no verdict, wherever they stand', async () => {
  const renumbered = (lines: readonly JournalLine[]): readonly JournalLine[] => {
    let n = 0;
    return lines.map((line) => {
      if (line.kind !== 'exchange') return line;
      n += 1;
      return { ...line, n };
    });
  };
  const isList = ({ caller, request, outcome }: Exchange): boolean =>
    caller === 'key' && request.method === 'GET' && outcome.kind === 'answer' && outcome.status === 200;
  await holdsOf(
    fc.tuple(fc.nat({ max: algorithms.length - 1 }), fc.integer({ min: 1 })),
    Math.ceil(RUNS / 4),
    ([run, seed]) => {
      const lines = linesOf({ run, damage: 0 });
      const next = seeded(seed);
      const mixed = lines.flatMap((line) =>
        line.kind === 'exchange' && isList(line) && next() < 0.5 ? [line, toSomebodyElse(line)] : [line],
      );
      assert.deepEqual(verdicts(renumbered(mixed)), verdictsOnWhole(lines));
    },
  );
});

/** Compares each verdict on what remains of a journal with the one on all of it. */
function compare(
  remaining: readonly JournalLine[],
  lines: readonly JournalLine[],
  holds: (verdict: Verdict, whole: Verdict | undefined) => boolean,
): void {
  const whole = verdictsOnWhole(lines);
  for (const [id, verdict] of verdicts(remaining))
    assert.ok(holds(verdict, whole.get(id)), `${id}: ${whole.get(id)}, and ${verdict} of what remains`);
}

const isAgainst = (verdict: Verdict | undefined): boolean => verdict === 'fail' || verdict === 'warn';
const anyShare = fc.double({ min: 0, max: 1, noNaN: true });
/** The first lines of a journal, at least one. */
const startOf = (lines: readonly JournalLine[], share: number): readonly JournalLine[] =>
  lines.slice(0, 1 + Math.floor(share * (lines.length - 1)));

test('a journal that is cut at any line fails no requirement that the complete one does not', async () => {
  await holdsOf(fc.tuple(anyJournal, anyShare), 2 * RUNS, ([one, share]) => {
    const lines = linesOf(one);
    compare(startOf(lines, share), lines, (verdict, whole) => verdict !== 'fail' || whole === 'fail');
  });
});

test('more evidence never turns a fail into a pass, damaged or not', async () => {
  await holdsOf(fc.tuple(anyDamaged, anyShare), RUNS, ([one, share]) => {
    const lines = linesOf(one);
    compare(startOf(lines, share), lines, (verdict, whole) => verdict !== 'fail' || whole !== 'pass');
  });
});

test('a journal that lacks an exchange fails nothing that the complete one does not, and warns of nothing more', async () => {
  await holdsOf(fc.tuple(anyJournal, anyShare), 2 * RUNS, ([one, share]) => {
    const lines = linesOf(one);
    const lacking = Math.floor(share * lines.filter(({ kind }) => kind === 'exchange').length);
    const rest = lines.filter((line) => line.kind !== 'exchange' || line.n !== lacking);
    compare(rest, lines, (verdict, whole) => !isAgainst(verdict) || isAgainst(whole));
  });
});

/** Some of the bodies were not kept whole: too large, or broken off. */
function withoutBodies(lines: readonly JournalLine[], seed: number): readonly JournalLine[] {
  const next = seeded(seed);
  return lines.map((line) => {
    if (line.kind !== 'exchange' || line.outcome.kind === 'no-response' || next() < 0.3) return line;
    const { broken: _, ...outcome } = line.outcome;
    const body = excerptOf(bodyTextForPeople(outcome.body).slice(0, next() * 40), outcome.body.bytes);
    return { ...line, outcome: { ...outcome, body } };
  });
}

test('a body that was not recorded completely adds no fail and no warn', async () => {
  await holdsOf(fc.tuple(anyJournal, fc.integer({ min: 1 })), 2 * RUNS, ([one, seed]) => {
    const lines = linesOf(one);
    const isNoWorse = (verdict: Verdict, whole: Verdict | undefined): boolean =>
      verdict === 'fail' ? whole === 'fail' : verdict !== 'warn' || isAgainst(whole);
    compare(withoutBodies(lines, seed), lines, isNoWorse);
  });
});
