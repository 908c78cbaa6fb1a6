import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveOverHttp, startServer } from '../reference-server/http/server.ts';
import { createService, systemClock } from '../reference-server/service/service.ts';
import { overHttp, plansOf } from './over-http.ts';
import { balance } from './testing/tools/balancer.ts';
import { onBusyMachine, whyTooSlowOnly } from './testing/tools/busy-machine.ts';
import { reasonsOf } from './testing/verdicts.ts';

// Three servers behind one address. A service of two processes that share a Redis is in third-party/services/redis.

const REPLICAS = Array.from({ length: 3 });
const PLANS = plansOf(3);
const unlessBusy = onBusyMachine();

test('replicas behind one address that share counts and categories conform', (t) =>
  unlessBusy(t, async (again) => {
    const plans = again ? plansOf(30) : PLANS;
    const service = createService({ plans, clock: systemClock });
    const baseUrl = await balance(t, await Promise.all(REPLICAS.map(() => serveOverHttp(service))));
    const [key = '', other = ''] = service.keys.free;
    const { record } = await overHttp({ baseUrl, plans, keys: { key, other } });
    assert.deepEqual(reasonsOf(record, 'fail'), []);
    const reason = whyTooSlowOnly(record);
    if (reason === undefined) assert.equal(record.outcome, 'conforms');
    return reason;
  }));

test('replicas that share nothing never receive the outcome "conforms"', async (t) => {
  const replicas = await Promise.all(REPLICAS.map(() => startServer({ plans: PLANS })));
  const [key = '', other = ''] = replicas[0]?.keys.free ?? [];
  const baseUrl = await balance(t, replicas);
  const { record } = await overHttp({ baseUrl, plans: PLANS, keys: { key, other } });
  assert.notEqual(record.outcome, 'conforms');
  const list = record.requirements.find(({ id }) => id === 'LIST-3');
  assert.ok(list?.verdict === 'fail' || list?.verdict === 'warn', list?.because);
});
