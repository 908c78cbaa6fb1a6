import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runWith, virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { loadPlans } from '../../../spec/plans.ts';
import { register } from '../../../spec/register.ts';
import { sampleOf } from '../../../tools/sample.ts';
import type { Seams } from '../../seams.ts';
import type { Outcome, Request } from '../../service/message.ts';
import { createService } from '../../service/service.ts';
import type { Fault } from './fault.ts';
import { describeFaults, faults, findFault } from './index.ts';

/** A request as a service gets it, and when, in milliseconds since the Unix epoch. */
type Sent = readonly [request: Request, at: number];

/** A run with these options that shows what it can: three windows and a small day do not fit into one. */
const runOptions = (needs: Fault['needs']) =>
  runWith([...needs, 'disposable key', ...(needs.includes('used day') ? [] : (['thorough'] as const))]);

/** What a run with these options sends. */
async function sentWith(needs: Fault['needs']): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const recording: Seams = {
    wrapService:
      (handle, { now }) =>
      (request) => {
        sent.push([request, now()]);
        return handle(request);
      },
  };
  await virtualRun({ fault: recording, ...runOptions(needs) });
  return sent;
}

/** The outcomes of these requests at a service with this fault. */
function outcomesOf(sent: readonly Sent[], seams: Seams, needs: Fault['needs']): readonly Outcome[] {
  const clock = { at: 0, now: () => clock.at };
  clock.at = sent[0]?.[1] ?? 0;
  const { handle } = createService({ plans: runOptions(needs).plans ?? loadPlans(), clock, seams });
  return sent.map(([request, at]) => {
    clock.at = at;
    return handle(request);
  });
}

/** One text for all outcomes: comparing bytes one by one takes many times as long. */
const textOf = (outcomes: readonly Outcome[]): string =>
  JSON.stringify(
    outcomes.map((outcome) =>
      outcome.kind === 'dropped'
        ? outcome
        : { ...outcome, body: Buffer.from(outcome.body).toString('latin1') },
    ),
  );

/** The requests by the options of the run that sends them, with the outcomes without a fault. */
const runs = new Map<string, { readonly sent: readonly Sent[]; readonly clean: readonly Outcome[] }>();
for (const { needs } of faults) {
  if (runs.has(needs.join())) continue;
  const sent = await sentWith(needs);
  runs.set(needs.join(), { sent, clean: outcomesOf(sent, {}, needs) });
}

/** The requests of a run with these options, with the outcomes without a fault. */
const shownBy = (needs: Fault['needs']) => runs.get(needs.join()) ?? { sent: [], clean: [] };

/** Faults whose services are compared today: each takes two services and some hundred requests. */
const sampled = new Set<string>(sampleOf(faults).map(({ id }) => id));

for (const {
  id,
  breaks,
  warnings,
  undecidable,
  needs,
  breaksWith,
  description,
  seenIn,
  ...seams
} of faults) {
  test(`${id}: well described`, () => {
    assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.match(description, /^[A-Z].+\.$/);
    assert.ok(seenIn.length > 10);
    assert.equal(new Set([...breaks, ...warnings]).size, breaks.length + warnings.length);
    for (const [option, ids] of Object.entries(breaksWith)) {
      assert.ok(!(needs as readonly string[]).includes(option), `every run has ${option}`);
      assert.notDeepEqual(ids, breaks, `${option} changes nothing`);
    }
    assert.ok(Object.keys(seams).every((name) => /^wrap(Store|Identify|Limiter|Service|Bytes)$/.test(name)));
    if (undecidable === undefined) assert.ok(breaks.length + warnings.length > 0, 'it breaks nothing');
    else {
      assert.deepEqual(breaks, [], 'an undecidable fault breaks nothing');
      assert.match(undecidable.because, /^[A-Z].{60,}\.$/);
    }
  });

  const { wrapBytes } = seams;
  if (wrapBytes !== undefined) {
    test(`${id}: changes the bytes of some responses but not all, the same each time`, () => {
      const { sent, clean } = shownBy(needs);
      const transmitted = () =>
        clean.map((outcome, at) => {
          const [request] = sent[at] ?? [];
          return outcome.kind === 'dropped' || request === undefined
            ? undefined
            : wrapBytes(outcome, request);
        });
      const all = transmitted();
      assert.ok(all.some((one) => one !== undefined) && all.some((one) => one === undefined));
      assert.ok(all.every((one) => one === undefined || one.pieces.length > 0));
      assert.deepEqual(transmitted(), all);
    });
    continue;
  }

  if (!sampled.has(id)) continue;

  test(`${id}: changes responses, and two services do not share its state`, () => {
    const { sent, clean } = shownBy(needs);
    const faulty = textOf(outcomesOf(sent, seams, needs));
    assert.equal(textOf(outcomesOf(sent, findFault(id), needs)), faulty);
    assert.notEqual(faulty, textOf(clean));
  });
}

test('ids are unique, and an unknown id gets the nearest one as a suggestion', () => {
  assert.equal(new Set(faults.map(({ id }) => id)).size, faults.length);
  assert.throws(() => findFault('retry-after-in-miliseconds'), {
    name: 'UserError',
    message: /no fault "retry-after-in-miliseconds".* Did you mean "retry-after-in-milliseconds"\?$/,
  });
  assert.throws(() => findFault('zzz'), /no fault "zzz"; "serve --list faults" lists all \d+\.$/);
});

test('every MUST that responses can violate is broken by a fault, and every SHOULD has one', () => {
  const broken = new Set(
    faults.flatMap(({ breaks, breaksWith }) => [...breaks, ...Object.values(breaksWith).flat()]),
  );
  const caught = new Set([...broken, ...faults.flatMap(({ warnings }) => warnings)]);
  const judged = register.filter(({ level, judged }) => level !== 'OBSERVE' && judged === 'by certify');
  const missing = judged.map(({ id }) => id).filter((id) => !caught.has(id));
  assert.deepEqual(missing, ['VER-1', 'VER-2']);
  const musts = judged.filter(({ level }) => level === 'MUST').map(({ id }) => id);
  const kept = musts.filter((id) => !broken.has(id));
  assert.deepEqual(kept, ['VER-1', 'VER-2']);
  const shoulds = new Set(judged.filter(({ level }) => level === 'SHOULD').map(({ id }) => id));
  assert.ok(![...broken].some((id) => shoulds.has(id)), 'a SHOULD never fails');
});

test('every chapter has its rows', () => {
  const rows = describeFaults();
  assert.equal(rows.length, faults.length);
  const chapters = new Set(
    register.filter(({ judged }) => judged === 'by certify').map(({ chapter }) => chapter),
  );
  assert.deepEqual(new Set(rows.map(({ chapter }) => chapter)), chapters);
});
