import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { anew, exclusively, isRateLimited, thrice, used } from '../../../evaluation/testing/suites/uses.ts';
import { testJudges } from '../../../evaluation/testing/suites/verdict-rows.ts';
import { ban } from '../probes/ban.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { preflight } from '../probes/preflight.ts';

const { lines } = await virtualRun({ withDisposableKey: true });
const { at, asked, answered, both } = edit;
const { each, fail, inconclusive, notTested, pass, rowsOf, warn } = edit;
const limited = both(asked('exhaust-quota'), answered(429));
const retry = (...values: readonly string[]) => edit.header('Retry-After', ...values);
type Later = readonly (readonly [wait: number, told: StagedExchange])[];

/** This 429, and what became of the requests after it: how long each waited, in seconds, and its response. */
const retriedAfter =
  (limited: StagedExchange) =>
  (...later: Later): Synthesis => {
    const run = used(60).add(limited);
    for (const [wait, told] of later) run.wait(wait).add({ probe: 'recovery', ...told });
    return run;
  };
const retried = retriedAfter(isRateLimited(60));
const inMilliseconds = retriedAfter(isRateLimited(60, { headers: [['Retry-After', '60000']] }));
const again = (wait: number): StagedExchange => ({
  status: 429,
  left: 0,
  headers: [['Retry-After', String(wait)]],
});

/** The same three times over: twice more, from a limit that was left alone. */
const inVain = (...later: Later): Synthesis =>
  thrice(retried(...later), 60, [0, isRateLimited(60)], ...later);
/** Five requests of one burst that leave one after another, each refused with a wait of 0; then one a second later. */
function burst(): Synthesis {
  const run = new Synthesis().add({ probe: 'preflight', step: preflight.steps.baseline, left: 59 });
  for (let i = 0; i < 5; i += 1) run.add({ step: exhaustQuota.steps.parallel, ...again(0) });
  return run.wait(1).add({ probe: 'recovery', left: 0 });
}

/** Two refusals of one burst, and 403 after their wait; and 403 after a single one, whenever it is tried again. */
function bannedAfterBurst(): Synthesis {
  const refused = { step: exhaustQuota.steps.parallel, ...isRateLimited(60) };
  const run = used(60).add(refused, refused).wait(60).add({ probe: 'recovery', status: 403 });
  const end: Later = [
    [0, isRateLimited(60)],
    [60, { status: 403 }],
  ];
  return anew(anew(run, 60, ...end), 60, ...end);
}

const GONE: StagedExchange = { status: 401 };

/** A refusal until a date, so many seconds after the start, and two more: a minute later, and a second after that. */
function untilDate(seconds: number, more: StagedExchange): Synthesis {
  const date = new Date((START + seconds) * 1000).toUTCString();
  return used(60)
    .add({ status: 429, left: 0, headers: [['Retry-After', date]], ...more })
    .wait(60)
    .add({ probe: 'recovery', ...again(1) })
    .wait(1.1)
    .add({ probe: 'recovery', ...again(1) });
}

const persistent = asked(ban.id, ban.steps.persist);
const lifted = asked(ban.id, ban.steps.afterWait);
const neighbour = asked(ban.id, ban.steps.keyUnderTest);
const banned = at(persistent, edit.status(403), retry());
/** The last request of the sacrificial key, refused twice. */
const forGood = (edits: readonly edit.Edit[]): edit.Change =>
  edit.all(banned, at(lifted, ...edits), (changed) =>
    changed.flatMap((line) =>
      line.kind === 'exchange' && lifted(line) ? [line, { ...line, n: line.n + 1 }] : [line],
    ),
  );
const persistentRequests = edit.exchangesIn(lines, persistent).map(({ n }) => n);
/** One request of the persistent key is accepted, as one flows back, and the next waits longer than the first did. */
const between = persistentRequests[9] ?? 0;
/** So many of its last requests. */
const lastPersistent = (count: number): edit.Where => {
  const last = new Set(persistentRequests.slice(-count));
  return ({ n }) => last.has(n);
};
/** The last of its 429 responses asks for ten minutes, as a ban does. */
const longerAtLast = edit.at(lastPersistent(1), edit.status(429), retry('600'));
const flowsBack = edit.all(
  at(({ n }) => n === between, edit.status(200), edit.responseBody([]), retry()),
  at(
    both(persistent, ({ n }) => n > between),
    retry('90'),
  ),
);
const exclusiveKey = edit.inputs({ exclusiveKey: true });
const noDisposableKey = edit.inputs({ disposableKey: false });

const inAMinute = new Date((START + 67) * 1000);
const ASCTIME = inAMinute.toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $5 $4');

/** What speaks for and against the form of Retry-After (RETRY-2). */
const retryAfterFormRows = rowsOf('RETRY-2', {
  'an HTTP-date (K01)': pass(at(limited, retry(inAMinute.toUTCString()))),
  'a date as asctime writes it (K02)': warn(at(limited, retry(ASCTIME))),
  'a fraction': fail(at(limited, retry('59.5'))),
  'a negative number': fail(at(limited, retry('-1'))),
  milliseconds: warn(at(limited, retry('60000'))),
  'half a day beside headers that describe the minute (K23, K40)': pass(at(limited, retry('43200'))),
  'the seconds of an exhausted day that look like the milliseconds of a minute': pass(
    at(asked('exhausted-day'), retry('60000'), edit.header('X-RateLimit-Reset', String(START + 67))),
  ),
  'two alike': warn(at(limited, retry('60', '60'))),
  'two alike, joined by a gateway': warn(at(limited, retry('60, 60'))),
  'two that differ': fail(at(limited, retry('60', '30'))),
});

const undated = edit.header('Date');
const longAgo = retry('Sat, 21 Nov 2020 17:01:02 GMT');

/** What a retry shows where no response has a Date, or where it does not repeat what was rate-limited (RETRY-3). */
const retryRows = [
  ...rowsOf('RETRY-3', {
    'a creation, whose 429 shows that quota remains, and then a list that is accepted': inconclusive(
      at(limited, edit.header('X-RateLimit-Remaining', '5')),
    ),
    'a date without a Date beside it, and accepted after it by the Date of that response': pass(
      at(limited, undated, longAgo),
    ),
    'a date in a run without any Date, and accepted after it by our clock': pass(
      edit.all(
        at(() => true, undated),
        at(limited, longAgo),
      ),
    ),
    'a date without a Date beside it, and accepted before it': inconclusive(
      at(limited, undated, retry('Thu, 21 Nov 2030 17:01:02 GMT')),
    ),
  }),
];

testJudges('retry-after-and-ban', lines, [
  ...rowsOf('RETRY-1', {
    none: fail(at(limited, retry())),
    'none on a 429 to another spelling, which may come from a gateway': pass(
      at(edit.asked('other-spellings', 'a path parameter'), edit.limited, retry()),
    ),
  }),
  ...retryAfterFormRows,
  ...rowsOf('RETRY-3', {
    'accepted after it, to a request of the same probe': pass(
      used(60).add(isRateLimited(30)).wait(30).add({ left: 29 }),
    ),
    'milliseconds, and accepted when they have passed': pass(inMilliseconds([60, { left: 59 }])),
    'milliseconds, and refused again when they have passed': inconclusive(inMilliseconds([60, again(60)])),
    'milliseconds, and asked before they have passed': inconclusive(inMilliseconds([30, { left: 59 }])),
    'a date on a clock that is hours away (K27)': pass(
      at(
        limited,
        edit.header('Date', 'Sat, 21 Nov 2026 17:00:07 GMT'),
        retry('Sat, 21 Nov 2026 17:01:02 GMT'),
      ),
    ),
    'refused once more for a second (K08)': pass(retried([60, again(1)], [1, { left: 59 }])),
    'refused once more for a whole window': warn(retried([60, again(60)], [60, { left: 59 }])),
    'refused twice, each time after the wait, and so whenever it was tried again': fail(
      inVain([60, again(2)], [2, again(2)]),
    ),
    'refused twice, each time after the wait, and without a 429 when it was tried again': inconclusive(
      anew(retried([60, again(2)], [2, again(2)]), 20),
    ),
    'refused twice, each time after the wait, and never when it was tried again': inconclusive(
      thrice(retried([60, again(2)], [2, again(2)]), 60, [0, isRateLimited(60)], [60, { left: 59 }]),
    ),
    'refused once more for two seconds, after a presentation of the key that was refused, too': inconclusive(
      retried([60, { caller: 'unspecified', ...again(1) }], [0, again(2)], [2, { left: 59 }]),
    ),
    'refused once more for two seconds, after a presentation of the key that was rejected': warn(
      retried([60, { caller: 'unspecified', status: 401 }], [0, again(2)], [2, { left: 59 }]),
    ),
    'the same where the target gives back one request at a time': inconclusive(
      used(60)
        .add(isRateLimited(1))
        .wait(1)
        .add({ probe: 'recovery', caller: 'unspecified', status: 401 })
        .add({ probe: 'recovery', ...again(2) })
        .wait(2)
        .add({ probe: 'recovery', left: 0 }),
    ),
    'refused twice, while another client uses the key up': inconclusive(
      used(30).add(isRateLimited(60)).wait(60).add(again(2)).wait(2).add(again(2)),
    ),
    '503 of a gateway, and accepted then': pass(retried([60, { status: 503 }], [0, { left: 59 }])),
    '503 of a gateway, and refused then, because the first may have been counted': inconclusive(
      retried([60, { status: 503 }], [0, again(1)]),
    ),
    '503 of a gateway, and 403 then, with a key that nobody else uses, because the first may have got 429':
      inconclusive(exclusively(inVain([60, { status: 503 }], [0, { status: 403 }]))),
    'no response, and accepted so long after that a wait too short would not show': inconclusive(
      retried([60, { noResponse: 'timeout' }], [1, { left: 59 }]),
    ),
    '503 of a gateway, and nothing after it': inconclusive(retried([60, { status: 503 }])),
    'a burst of refusals with 0, none of which is a retry (K75)': pass(burst()),
    '403 after a single refusal, each time, as whoever is banned for what somebody else did': inconclusive(
      inVain([60, { status: 403 }]),
    ),
    '403 after a single refusal, with a key that nobody else uses': fail(
      exclusively(inVain([60, { status: 403 }])),
    ),
    '401 alone: the key may have expired': inconclusive(exclusively(retried([60, GONE]))),
    '401, and accepted later': fail(exclusively(retried([60, GONE], [9, { left: 59 }]))),
    '403 after two refusals of one burst, with a key that nobody else uses': inconclusive(
      exclusively(bannedAfterBurst()),
    ),
    'a date that agrees with Reset, and refused twice after it: Date may be of a gateway': warn(
      untilDate(60, { reset: 61 }),
    ),
    'a date two seconds before Reset, as rounding hides, and refused twice after it': warn(
      untilDate(58, { resetIn: 60 }),
    ),
    'a date half a minute before Reset, refused twice after it, and not tried again': inconclusive(
      untilDate(30, { resetIn: 60 }),
    ),
    'a date that had not come by our clock, and refused twice': inconclusive(
      untilDate(130, { reset: 130, date: START + 70 }),
    ),
    'no-response': inconclusive(retried([60, { noResponse: 'timeout' }])),
  }),
  ...retryRows,

  ...rowsOf('RETRY-4', {
    exact: pass(edit.unchanged),
    'rounded down (K08)': warn(retried([60, again(0)], [1, { left: 59 }])),
    'a wait of nothing, and accepted in less than half a second': pass(
      used(60).add(isRateLimited(0)).wait(0.4).add({ probe: 'recovery', left: 59 }),
    ),
    'a wait of nothing, and accepted half a second later': inconclusive(
      used(60)
        .add(isRateLimited(0, { sent: 1000 }))
        .wait(0.499)
        .add({ probe: 'recovery', left: 0 }),
    ),
    'a wait of nothing on a 429 that was delayed by half a second, and accepted a second later': pass(
      used(60)
        .add(isRateLimited(0, { sent: 1000, received: 1500 }))
        .wait(1)
        .add({ probe: 'recovery', left: 0 }),
    ),
    'kept towards the key in a presentation of its own, which took what was free (K17)': pass(
      retried(
        [60, { caller: 'unspecified', left: 0 }],
        [0, { caller: 'unspecified', ...again(1) }],
        [1, { caller: 'unspecified', left: 0 }],
        [0, again(1)],
        [1, { left: 0 }],
      ),
    ),
  }),
  ...rowsOf('BAN-1', {
    'no ban (K36)': pass(edit.unchanged),
    'a ban that ends (K35)': pass(banned),
    'a ban that outlasts two waits': fail(forGood([edit.status(429), retry('60')])),
    'a ban that outlasts two waits, only the second of which was announced': inconclusive((conforming) =>
      at(edit.first(lifted), retry())(forGood([edit.status(429), retry('60')])(conforming)),
    ),
    'nothing was sent beyond the limit, and the key is accepted': inconclusive(edit.without(persistent)),
    'a key that is rate-limited from its first request on, as another client of it causes': inconclusive(
      (conforming) =>
        at(
          (one) => one.caller === 'disposable',
          edit.status(429),
          retry('60'),
        )(forGood([edit.status(429)])(conforming)),
    ),
    'a ban that outlasts one wait': inconclusive(edit.all(banned, at(lifted, edit.status(429), retry('60')))),
    'no key to lose': notTested(noDisposableKey),
  }),
  ...rowsOf('BAN-2', {
    'the neighbour is answered': pass(banned),
    'the neighbour is banned, too': fail(edit.all(exclusiveKey, banned, at(neighbour, edit.status(403)))),
    ...each([62, 63], (seconds) => [
      `the neighbour, whose key nobody else uses, is refused, and the persistent key has to wait ${seconds} s`,
      (seconds === 63 ? fail : inconclusive)(
        edit.all(
          exclusiveKey,
          longerAtLast,
          at(lastPersistent(1), retry(String(seconds))),
          at(neighbour, edit.limited),
        ),
      ),
    ]),
    'the neighbour, whose key nobody else uses, gets no response while another key is banned': inconclusive(
      edit.all(exclusiveKey, banned, at(neighbour, edit.silent('timeout'))),
    ),
    'the neighbour is refused, and the persistent key gets no response any more': fail(
      edit.all(exclusiveKey, at(lastPersistent(2), edit.silent('timeout')), at(neighbour, edit.limited)),
    ),
    'the neighbour is refused, and the last request of the persistent key alone got no response':
      inconclusive(
        edit.all(exclusiveKey, at(lastPersistent(1), edit.silent('timeout')), at(neighbour, edit.limited)),
      ),
    'the neighbour is refused, and one request of the persistent key got no response': inconclusive(
      edit.all(
        exclusiveKey,
        at(({ n }) => n === between, edit.silent('timeout')),
        at(neighbour, edit.limited),
      ),
    ),
    'the neighbour, whose key nobody else uses, is refused, and the persistent key waits for what flows back':
      inconclusive(edit.all(exclusiveKey, flowsBack, at(neighbour, edit.limited))),
    'no key to lose': notTested(noDisposableKey),
  }),
]);
