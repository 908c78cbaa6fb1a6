import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceTime } from '../../../evaluation/simulation/service-time.ts';
import { ServiceWire } from '../../../evaluation/simulation/service-wire.ts';
import { VirtualClock } from '../../../evaluation/simulation/virtual-clock.ts';
import { PARAMETERS } from '../../../interfaces/options/names.ts';
import type { Outcome, RequestHandler } from '../../../reference-server/service/message.ts';
import { createService } from '../../../reference-server/service/service.ts';
import { loadPlans } from '../../../spec/plans.ts';
import type { JournalLine } from '../model/journal.ts';
import { furtherKeysIn } from '../wire/keyring.ts';
import { recordRun } from './record-run.ts';
import { settleRun } from './run-settings.ts';

/** A quick run to whose requests something may happen: how its journal ends, and what is thrown. */
async function endOf(event: (request: number, user: AbortController) => Outcome | undefined) {
  const clock = new VirtualClock();
  const plans = loadPlans();
  const service = createService({ plans, clock: new ServiceTime(clock) });
  const keys = { key: service.keys.free[0] ?? '' };
  const baseUrl = new URL('http://127.0.0.1:8080/v1');
  const settings = {
    ...settleRun({ quick: true }, { plans, furtherKeys: furtherKeysIn(keys), names: PARAMETERS }),
    target: { baseUrl, keys, certificateAuthority: undefined, headers: [], proxied: false },
    specification: { version: '1', digest: '' },
  };
  const user = new AbortController();
  let requests = 0;
  const answer: RequestHandler = (request) => {
    requests += 1;
    return event(requests, user) ?? service.handle(request);
  };
  const lines: JournalLine[] = [];
  const equipment = {
    wire: new ServiceWire(answer, clock),
    clock,
    journal: { append: (line: JournalLine) => void lines.push(line) },
    signal: user.signal,
  };
  const thrown = await clock.run(recordRun(settings, equipment)).then(
    () => undefined,
    ({ name }: Error) => name,
  );
  const last = lines.at(-1);
  return { end: last?.kind === 'end' ? `${last.how}: ${last.because}` : last?.kind, thrown, requests };
}

test('a run that sent everything is finished', async () => {
  const { end, thrown } = await endOf(() => undefined);
  assert.deepEqual([end, thrown], ['finished: every probe ran', undefined]);
});

test('a run that its user interrupts says so, and sends nothing more', async () => {
  const interrupted = await endOf((request, user) => (request === 5 ? void user.abort() : undefined));
  assert.deepEqual(interrupted, {
    end: 'interrupted: the run was interrupted',
    thrown: 'AbortError',
    requests: 5,
  });
});

test('a run that loses its target has failed', async () => {
  const { end, thrown } = await endOf(() => ({ kind: 'dropped' }));
  assert.match(end ?? '', /^failed: .*other side closed/);
  assert.equal(thrown, 'TargetLostError');
});

test('the journal of a run that a defect stops has no end', async () => {
  const { end, thrown } = await endOf(() => {
    throw new RangeError('a defect');
  });
  assert.deepEqual([end, thrown], ['probe', 'RangeError']);
});
