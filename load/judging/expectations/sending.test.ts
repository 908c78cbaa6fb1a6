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

/** The first of these requests waits for a connection. */
const connects: StagedRun = {
  ...bursts([{ at: 0, took: 900 }, ...countdown(20, 9, { at: 1000 }, 7000)]),
  latencyThresholdMs: 50,
};

/** So many scheduled requests, of which the first is late. */
const withOneLate = (requests: number): StagedRun => ({
  ...scheduled(requests),
  samples: [...scheduled(1, 300).samples, ...scheduled(requests).samples.slice(1)],
});

testRows('what was sent, and what came back', {
  SENT: {
    pass: {
      'all of it': [scheduled(20), /Each of 20 planned requests was sent/],
      'hardly late': [scheduled(20, 200), /Each of 20/],
      'one of a hundred late': [withOneLate(100), /Each of 100/],
    },
    inconclusive: {
      'one of 99 late': [withOneLate(99), /1 of 99 scheduled requests were sent more than 250 ms late/],
      late: [
        scheduled(20, 300),
        /20 of 20 scheduled requests were sent more than 250 ms late \(up to 300 ms\)/,
      ],
      nothing: [{ ...scheduled(3), samples: [] }, /0 of 3 planned requests were sent/],
      'too few': [{ ...scheduled(3), samples: scheduled(2).samples }, /2 of 3 planned requests/],
      interrupted: [
        { ...scheduled(3), ended: { how: 'interrupted', because: 'Ctrl-C.' } },
        /interrupted: Ctrl-C/,
      ],
      'an exception': [
        {
          ...scheduled(3),
          stopped: [{ kind: 'stopped', key: 'key', at: 0, because: 'script error', detail: 'TypeError' }],
        },
        /the script failed \(TypeError\)/,
      ],
    },
  },
  CONTRACT: {
    pass: {
      'as specified': [bursts(exhausted), /Each of 11 responses/],
      'bodies read': [
        bursts([
          { at: 0, body: { kind: 'list' } },
          created(10, '1'),
          created(20, '2'),
          created(30),
          created(40),
          ...countdown(3, 5, { at: 100 }),
        ]),
        /Each of 8 responses is as specified\. Of these, 5 bodies were read\./,
      ],
      'a name that is rejected': [
        bursts([
          { at: 0 },
          ...[400, 409, 422].map((status) => ({ at: status, status, operation: 'create' as const })),
        ]),
        /3 creations got 400, which a bound on names would explain/,
      ],
      'no body read': [bursts(exhausted), /as specified\. No body was read\.$/],
    },
    fail: {
      'another status, although the clock of the target was set': [
        bursts([
          ...exhausted.map((one, at) => ({ ...one, aheadMs: at < 5 ? 0 : 20_000 })),
          { at: 2000, status: 404, aheadMs: 20_000 },
        ]),
        /404 for request 12/,
      ],
      'another status': [bursts([...exhausted, { at: 2000, status: 404 }]), /404 for request 12 \(GET\)/],
      'a header missing': [
        bursts([...exhausted, { at: 2000, left: null }]),
        /no X-RateLimit-Limit for request 12 \(200\)/,
      ],
      'another Limit': [bursts([...exhausted, { at: 2000, limit: 11 }]), /received 11 for request 12/],
      'another body': [
        bursts([
          { at: 0, body: { kind: 'list' } },
          { at: 10, body: { kind: 'wrong', problem: 'not JSON', excerpt: '<html>' } },
        ]),
        /a JSON list of categories in the body of request 2, but received a text that is not JSON\. It begins with "<html>"\./,
      ],
      'no body at all': [
        bursts([{ at: 0, body: { kind: 'wrong', problem: 'not JSON', excerpt: '' } }]),
        /that is not JSON\. It is empty\./,
      ],
    },
    inconclusive: {
      'the id of another category': [
        bursts([{ at: 0 }, created(10, '7'), created(20, '8'), created(30, '7')]),
        /Requests 2 and 4 both created a category with the id "7"/,
      ],
      'a request that did not arrive in time': [
        bursts([...exhausted, { at: 2000, status: 408, left: null }]),
        /Request 12 returned 408: it did not reach the target in time/,
      ],
      'a ban': [bursts([...exhausted, { at: 2000, status: 403 }]), /returned 403 although/],
      'another caller with another plan': [
        {
          scenarios: [['other', [burst(1)]]],
          samples: [{ key: 'other', at: 0, limit: 11 }],
          stopped: [{ kind: 'stopped', key: 'other', at: 0, because: 'wrong plan', detail: 'Limit is 11' }],
        },
        /The run stopped: Limit is 11\. Use a key of the plan/,
      ],
      'a disposable key with another plan': [
        {
          scenarios: [['disposable', [burst(1)]]],
          samples: [{ key: 'disposable', at: 0, limit: 11 }],
          stopped: [
            { kind: 'stopped', key: 'disposable', at: 0, because: 'wrong plan', detail: 'Limit is 11' },
          ],
        },
        /The run stopped: Limit is 11\. Use a key of the plan/,
      ],
      'a target that is another one': [
        {
          ...bursts([{ at: 0, status: 404 }]),
          stopped: [
            { kind: 'stopped', key: 'key', at: 0, because: 'wrong target', detail: 'request 1 returned 404' },
          ],
        },
        /The run stopped: request 1 returned 404\. Check the address/,
      ],
      'a disposable key that was banned before': [
        {
          scenarios: [['disposable', [burst(3)]]],
          samples: [0, 100, 200].map((at) => ({ key: 'disposable', at, status: 403 })),
        },
        /No response came/,
      ],
    },
  },
  'NO-5XX': {
    pass: {
      none: [bursts(exhausted), /Each of 11 requests was answered/],
      'none, of one': [bursts([{ at: 0 }]), /Each of 1 request was answered/],
    },
    fail: {
      one: [bursts([...exhausted, { at: 2000, status: 502 }]), /1 of 12 requests.* 502/],
      'one with the lowest status': [bursts([...exhausted, { at: 2000, status: 500 }]), /request 12\) 500/],
    },
    inconclusive: {
      'a response that k6 cannot read': [
        bursts([...exhausted, { at: 2000, malformed: 'too many transfer encodings: ["chunked" "chunked"]' }]),
        /1 of 12 requests got a malformed response.*transfer encodings.*Certify says/,
      ],
      'no-response': [
        bursts([...exhausted, { at: (exhausted.at(-1)?.at ?? 0) + 20, silent: true }]),
        /1 of 12 requests got no response.*The network may have lost them/,
      ],
      'no response to the first request': [
        bursts([{ at: 0, silent: true }, ...countdown(3, 9, { at: 100 })]),
        /1 of 4 requests got no response.*The network may have lost them/,
      ],
    },
  },
  LATENCY: {
    pass: {
      'below the threshold': [{ ...scheduled(20), latencyThresholdMs: 50 }, /took 10.0 ms/],
      'as long as the threshold, in few responses': [
        { ...scheduled(20), latencyThresholdMs: 10 },
        /slowest of 20 responses took 10\.0 ms/,
      ],
      'as long as the threshold': [
        { ...scheduled(100), latencyThresholdMs: 10 },
        /of 100 responses is 10\.0 ms; the threshold is 10 ms/,
      ],
      'above it only for the first, which connects': [connects, /slowest of 20 responses took 10.0 ms/],
    },
    fail: {
      'above it': [
        { ...scheduled(100), latencyThresholdMs: 5 },
        /a p99 of at most 5 ms, but received 10.0 ms in 100 responses/,
      ],
    },
    inconclusive: {
      'a preflight request alone': [
        { scenarios: [['key', [preflight]]], samples: [{ at: 0 }], latencyThresholdMs: 50 },
        /No response came after the first/,
      ],
      'above it for being late': [
        { ...scheduled(100, 200), latencyThresholdMs: 50 },
        /this machine sent requests late/,
      ],
    },
  },
});
