import { virtualRun } from '../../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import { anew, isRateLimited, used } from '../../../../evaluation/testing/suites/uses.ts';
import { testJudges } from '../../../../evaluation/testing/suites/verdict-rows.ts';
import { RATE_HEADERS } from '../../../../kernel/exchanges/judged-headers.ts';
import { preflight } from '../../probes/preflight.ts';

const { lines } = await virtualRun();
const { answered, at, asked, both } = edit;
const [LIMIT, REMAINING, RESET] = RATE_HEADERS;
const everything = answered(200, 201, 400, 401, 429);
const look = asked('preflight');
const limited = both(asked('exhaust-quota'), answered(429));
/** The time of every answer of the run lies in this second or up to two minutes later. */
const NOON = Date.UTC(2026, 10, 21, 10, 0, 7) / 1000;

const seconds = (change: (seconds: number) => number) =>
  edit.turn(RESET, (text) => String(change(Number(text))));

const atAddress = (baseUrl: string) => edit.run((run) => ({ ...run, target: { ...run.target, baseUrl } }));

/** A response of the minute with this Remaining, and this Reset in seconds after the start. */
const shows = (left: number, reset: number): StagedExchange => ({ left, reset });

const begun = (reset: number): Synthesis =>
  new Synthesis().add({ probe: 'preflight', step: preflight.steps.baseline, ...shows(59, reset) });

/** The same Remaining for the first seven requests, and later Resets `after` a pause of some seconds. */
function sevenUncounted(first: number, after: number): Synthesis {
  const run = begun(first).add(shows(59, first));
  run.together(6, () => shows(59, first));
  run.add(shows(58, after), shows(57, after), shows(56, after)).wait(2.5);
  return run.add(shows(55, after), shows(54, after), shows(53, after));
}

/** RATE-7: a jump of Remaining while responses announce one Reset is no window that began anew. */
const oneResetRows = rowsOf('RATE-7', {
  'seven requests before the first fall, under one Reset that stands still': fail(sevenUncounted(60, 60)),
  'the same where Reset moved on by a window with the jump': pass(sevenUncounted(4, 64)),
});

/** One request every 100 ms with these Resets. */
function resets(...seconds: readonly number[]): Synthesis {
  const run = begun(seconds[0] ?? 60);
  for (const [i, reset] of seconds.entries()) run.wait(0.1).add(shows(58 - i, reset));
  return run;
}

const dateBehind = (seconds: number): edit.Change =>
  edit.turnAt(
    () => true,
    'Date',
    (text) => new Date(Date.parse(text) - seconds * 1000).toUTCString(),
  );

/** RATE-9: a Reset that goes back and forth, or lies further ahead than any piece that is missing. */
const resetSwingRows = rowsOf('RATE-9', {
  'back and forth by seven seconds, as rounding and two requests that are given back hide': pass(
    resets(60, 53, 60, 53, 60, 53),
  ),
  'back and forth by eight seconds, twice': warn(resets(60, 52, 60, 52)),
  'back in each 429 alone, which may announce the end of another wait': pass(
    begun(60).add(
      ...[shows(1, 60), isRateLimited(40, { reset: 40 })],
      ...[shows(1, 60), isRateLimited(40, { reset: 40 })],
    ),
  ),
  'back once': pass(resets(60, 60, 40, 40, 40, 40)),
  'three that differ, the first of them 65 s ahead, as clocks and rounding hide': warn(resets(65, 62, 59)),
  'three that differ, the first of them 66 s ahead': fail(resets(66, 63, 60)),
  'the same by a Date that is six seconds behind our clock, and inside the window by ours': warn(
    dateBehind(6)(resets(60, 57, 54).lines()),
  ),
});

/** Requests from a full quota on under one Reset, and from `after` seconds on from a full quota again, under another. */
function windowsOf(first: readonly [count: number, reset: number], after: number, reset: number): Synthesis {
  const run = begun(first[1]);
  for (let left = 58; left > 59 - first[0]; left -= 1) run.wait(0.02).add(shows(left, first[1]));
  run.wait(after);
  for (let left = 59; left >= 20; left -= 1) run.wait(0.02).add(shows(left, reset));
  return run;
}

/** A sliding counter that ten requests and another client fill: each Reset is the end of the next window, and it is full again `later`. */
function counterOfTen(later: number): Synthesis {
  const run = begun(118);
  for (let left = 58; left > 49; left -= 1) run.add(shows(left, 118));
  return run
    .add(isRateLimited(50, { reset: 118 }))
    .wait(later)
    .add(shows(58, 178));
}

/** RATE-9: a quota that is full again before the Reset that was announced. */
const earlyResetRows = rowsOf('RATE-9', {
  'a full quota again, long before Reset, and more than the limit before it': fail(
    windowsOf([50, 60], 20, 80),
  ),
  'a full quota again, long before Reset, and no more than the limit before it': warn(
    windowsOf([20, 60], 10, 70),
  ),
  'a 429 that asks for more than its Reset': warn(used(60).add(isRateLimited(58, { resetIn: 20 }))),
  'a 429 that asks for five seconds more than its Reset, as clocks and rounding hide': pass(
    used(60).add(isRateLimited(25, { resetIn: 20 })),
  ),
  'a 429 that asks for a whole window, and its Reset before that': pass(
    used(60).add(isRateLimited(60, { resetIn: 20 })),
  ),
  'a full quota five seconds before the Reset of a 429, as clocks and rounding hide': pass(
    used(60).add(isRateLimited(50)).wait(45).add({ left: 59 }),
  ),
  'a full quota long before the Reset of a later 429': warn(
    anew(used(60).add(isRateLimited(50)).wait(50), 60, [0, isRateLimited(50)], [20, { left: 59 }]),
  ),
  'a full quota twenty seconds before the Reset of a 429, after requests over half a minute': pass(() => {
    const run = used(30).wait(30);
    for (let left = 29; left >= 0; left -= 1) run.add({ left });
    return run.add(isRateLimited(50)).wait(30).add({ left: 59 });
  }),
  'a full quota ten seconds before a Reset in the next window, as a counter of ten requests shows it': warn(
    counterOfTen(107),
  ),
  'a full quota twenty seconds before a Reset in the next window': fail(counterOfTen(97)),
  'a full quota again at Reset: a window of the clock (K09)': pass(windowsOf([50, 20], 20, 80)),
});

/** The end of more than a window, in Unix seconds. */
const late = edit.header(RESET, String(NOON + 600));

/** What a Reset more than a window ahead says on a 429: RATE-9. */
const lateResetRows = rowsOf('RATE-9', {
  'far ahead on a 429, the end of a penalty (K07)': pass(
    at(limited, late, edit.header('Retry-After', '593')),
  ),
  'far ahead on a 429, after which nothing was sent': pass(
    edit.all(at(limited, late), edit.cutAfter('exhaust-quota')),
  ),
  'far ahead on a 429, and one left again before': warn(
    edit.all(at(limited, late), at(asked('recovery'), edit.header(REMAINING, '0'))),
  ),
  'far ahead on a 429, the end of the day': pass(at(limited, late, edit.header(LIMIT, '1000'))),
  ...each([999_999_999, 100_000_000_000], (reset) => [
    `no Unix timestamp on a 429 without Date: ${reset}`,
    fail(at(limited, edit.header('Date'), edit.header(RESET, String(reset)))),
  ]),
  ...each([1_000_000_000, 99_999_999_999], (reset) => [
    `another time on a 429 without Date, which may be the end of a penalty: ${reset}`,
    pass(at(limited, edit.header('Date'), edit.header(RESET, String(reset)))),
  ]),
});

/** The same run without a Date, on a clock that is so many seconds ahead. */
const undated = (seconds: number): edit.Change =>
  edit.all(
    at(everything, edit.header('Date')),
    edit.turnAt(everything, RESET, (text) => String(Number(text) + seconds)),
  );

/** Resets in a run whose responses have no Date, or a wrong one, compared with our clock (RATE-9). */
const undatedResetRows = rowsOf('RATE-9', {
  ...each([-240, 299], (seconds) => [
    `no Date, and a clock that is ${seconds} seconds ahead`,
    pass(undated(seconds)),
  ]),
  'no Date, and five minutes and two seconds ago': warn(undated(-362)),
  'no Date, and three hours ahead': warn(undated(10_800)),
  'three hours off, and a Date that is three hours off in the other direction': fail(
    edit.all(
      edit.turnAt(everything, RESET, (text) => String(Number(text) + 10_800)),
      edit.turnAt(
        ({ outcome }) => outcome.kind === 'answer',
        'Date',
        (text) => new Date(Date.parse(text) - 10_800_000).toUTCString(),
      ),
    ),
  ),
});

testJudges('rate-limit-headers/reset', lines, [
  ...oneResetRows,
  ...rowsOf('RATE-9', {
    '63.2 s ahead of a Date that is written each second: uvicorn before slowapi, which adds one': warn(
      at(look, edit.header(RESET, `${NOON + 63}.2`)),
    ),
    'the end of a day of 25 hours, by a Limit of the day': pass(
      at(look, edit.header(LIMIT, '1000'), edit.header(RESET, String(NOON + 90_000))),
    ),
    ...each(
      [
        ['http://127.0.0.1:8080/v1', 64, pass],
        ['http://127.0.0.1:8080/v1', 65, warn],
        ['http://127.0.0.1:8080/v1', -3, pass],
        ['http://127.0.0.1:8080/v1', -4, fail],
        ['https://api.example.com/v1', -6, pass],
      ],
      ([baseUrl, ahead, is]) => [
        `${ahead} s ahead at ${baseUrl}: clocks differ by more across a network`,
        is(edit.all(atAddress(baseUrl), at(look, edit.header(RESET, String(NOON + ahead))))),
      ],
    ),
    'forty seconds past, long after the start': fail(
      at(
        asked('recovery'),
        seconds((one) => one - 100),
      ),
    ),
    'ten seconds past, in a run whose Date does not follow one clock': warn(
      edit.all(
        at(look, edit.header(RESET, String(NOON - 10))),
        at(
          asked('creations'),
          edit.turn('Date', (text) => new Date(Date.parse(text) + 3_600_000).toUTCString()),
          seconds((one) => one + 3600),
        ),
      ),
    ),
    none: inconclusive(at(everything, edit.header(RESET))),
  }),
  ...lateResetRows,
  ...resetSwingRows,
  ...earlyResetRows,
  ...undatedResetRows,
]);
