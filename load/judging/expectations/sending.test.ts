import {
  burst,
  bursts,
  exhausted,
  preflight,
  scheduled,
  testRows,
} from '../../../evaluation/testing/load/rows.ts';
import type { StagedRun, StagedSample } from '../../../evaluation/testing/load/runs.ts';
import { countdown } from '../../../evaluation/testing/load/runs.ts';

/** A creation, and the id that it received where one is known. */
const created = (at: number, id?: string): StagedSample => ({
  at,
  status: 201,
  operation: 'create',
  body: id === undefined ? { kind: 'category' } : { kind: 'category', id },
});

/** So many scheduled requests, of which the first is late. */
const withOneLate = (requests: number): StagedRun => ({
  ...scheduled(requests),
  samples: [...scheduled(1, 300).samples, ...scheduled(requests).samples.slice(1)],
});

testRows('sending', {
  SENT: {
    pass: {
      'all of it': scheduled(20),
      'one of a hundred late': withOneLate(100),
    },
    inconclusive: {
      'one of 99 late': withOneLate(99),
      nothing: { ...scheduled(3), samples: [] },
      interrupted: { ...scheduled(3), ended: { how: 'interrupted', because: 'Ctrl-C.' } },
      'an exception': {
        ...scheduled(3),
        stopped: [{ kind: 'stopped', key: 'key', at: 0, because: 'script error', detail: 'TypeError' }],
      },
    },
  },
  CONTRACT: {
    pass: {
      'as specified': bursts(exhausted),
      'bodies read': bursts([
        { at: 0, body: { kind: 'list' } },
        created(10, '1'),
        created(20, '2'),
        created(30),
        created(40),
        ...countdown(3, 5, { at: 100 }),
      ]),
      'a name that is rejected': bursts([
        { at: 0 },
        ...[400, 409, 422].map((status) => ({ at: status, status, operation: 'create' as const })),
      ]),
    },
    fail: {
      'another status, although the clock of the target was set': bursts([
        ...exhausted.map((one, at) => ({ ...one, aheadMs: at < 5 ? 0 : 20_000 })),
        { at: 2000, status: 404, aheadMs: 20_000 },
      ]),
      'another status': bursts([...exhausted, { at: 2000, status: 404 }]),
      'a header missing': bursts([...exhausted, { at: 2000, left: null }]),
      'another Limit': bursts([...exhausted, { at: 2000, limit: 11 }]),
      'another body': bursts([
        { at: 0, body: { kind: 'list' } },
        { at: 10, body: { kind: 'wrong', problem: 'not JSON', excerpt: '<html>' } },
      ]),
      'no body at all': bursts([{ at: 0, body: { kind: 'wrong', problem: 'not JSON', excerpt: '' } }]),
    },
    inconclusive: {
      'the id of another category': bursts([{ at: 0 }, created(10, '7'), created(20, '8'), created(30, '7')]),
      'a request that did not arrive in time': bursts([...exhausted, { at: 2000, status: 408, left: null }]),
      'a ban': bursts([...exhausted, { at: 2000, status: 403 }]),
      'another caller with another plan': {
        scenarios: [['other', [burst(1)]]],
        samples: [{ key: 'other', at: 0, limit: 11 }],
        stopped: [{ kind: 'stopped', key: 'other', at: 0, because: 'wrong plan', detail: 'Limit is 11' }],
      },
      'a disposable key with another plan': {
        scenarios: [['disposable', [burst(1)]]],
        samples: [{ key: 'disposable', at: 0, limit: 11 }],
        stopped: [
          { kind: 'stopped', key: 'disposable', at: 0, because: 'wrong plan', detail: 'Limit is 11' },
        ],
      },
      'a target that is another one': {
        ...bursts([{ at: 0, status: 404 }]),
        stopped: [
          { kind: 'stopped', key: 'key', at: 0, because: 'wrong target', detail: 'request 1 returned 404' },
        ],
      },
      'a disposable key that was banned before': {
        scenarios: [['disposable', [burst(3)]]],
        samples: [0, 100, 200].map((at) => ({ key: 'disposable', at, status: 403 })),
      },
    },
  },
  'NO-5XX': {
    pass: {
      'none, of one': bursts([{ at: 0 }]),
    },
    fail: {
      one: bursts([...exhausted, { at: 2000, status: 502 }]),
      'one with the lowest status': bursts([...exhausted, { at: 2000, status: 500 }]),
    },
    inconclusive: {
      'a response that k6 cannot read': bursts([
        ...exhausted,
        { at: 2000, malformed: 'too many transfer encodings: ["chunked" "chunked"]' },
      ]),
      'no response to the first request': bursts([{ at: 0, silent: true }, ...countdown(3, 9, { at: 100 })]),
    },
  },
  LATENCY: {
    pass: {
      'below the threshold': { ...scheduled(20), latencyThresholdMs: 50 },
      'as long as the threshold, in few responses': { ...scheduled(20), latencyThresholdMs: 10 },
      'as long as the threshold': { ...scheduled(100), latencyThresholdMs: 10 },
    },
    fail: {
      'above it': { ...scheduled(100), latencyThresholdMs: 5 },
    },
    inconclusive: {
      'a preflight request alone': {
        scenarios: [['key', [preflight]]],
        samples: [{ at: 0 }],
        latencyThresholdMs: 50,
      },
      'above it for being late': { ...scheduled(100, 200), latencyThresholdMs: 50 },
    },
  },
});
