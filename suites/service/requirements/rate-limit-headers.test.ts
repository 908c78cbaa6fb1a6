import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { testChapter } from '../../../evaluation/testing/suites/edits.ts';
import { counts, falls, gets } from '../../../evaluation/testing/suites/uses.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { RATE_HEADERS } from '../../../kernel/exchanges/judged-headers.ts';
import type { JournalLine } from '../model/journal.ts';
import { conditionalListRows, namedLimitRows, presenceRows } from './rate-limit-headers/presence.rows.ts';
import { remainingRows } from './rate-limit-headers/remaining.rows.ts';
import {
  earlyResetRows,
  lateResetRows,
  oneResetRows,
  resetSwingRows,
  undatedResetRows,
} from './rate-limit-headers/reset.rows.ts';

const { lines } = await virtualRun();
const { at, asked, answered, both } = edit;
const LIMIT = 'X-RateLimit-Limit';
const REMAINING = 'X-RateLimit-Remaining';
const RESET = 'X-RateLimit-Reset';
const everything = answered(200, 201, 400, 401, 429);
const keyed = (exchange: Exchange): boolean => exchange.caller === 'key' && everything(exchange);
const look = asked('preflight');
/** Remaining as the day has it. */
const ofDay = edit.turn(REMAINING, (text) => String(Number(text) + 900));
const limited = both(asked('exhaust-quota'), answered(429));
/** The time of every answer of the run lies in this second or up to two minutes later. */
const NOON = Date.UTC(2026, 10, 21, 10, 0, 7) / 1000;

const seconds = (change: (seconds: number) => number) =>
  edit.turn(RESET, (text) => String(change(Number(text))));

const atAddress = (baseUrl: string) => edit.run((run) => ({ ...run, target: { ...run.target, baseUrl } }));

testChapter('Rate-limit headers', lines, [
  ...presenceRows('RATE-1', look),
  ...presenceRows('RATE-1', asked('first-creation')),
  ...presenceRows('RATE-2', asked('rejections', 'body is a string')),
  ...presenceRows('RATE-3', asked('unauthenticated-creations', 'creation without a key')),
  ...presenceRows('RATE-4', limited),
  ...conditionalListRows,
  {
    id: 'RATE-1',
    description: 'a named operation that is answered without them',
    journal: at(
      asked('other-operations'),
      edit.status(200),
      ...RATE_HEADERS.map((name) => edit.header(name)),
    ),
    verdict: 'fail',
  },
  {
    id: 'RATE-1',
    description: 'a named operation that is not implemented, without them',
    journal: at(asked('other-operations'), ...RATE_HEADERS.map((name) => edit.header(name))),
    verdict: 'pass',
  },
  ...namedLimitRows,
  {
    id: 'RATE-1',
    description: 'nothing but silence',
    journal: at(answered(200, 201), edit.silent('timeout')),
    verdict: 'inconclusive',
  },
  { id: 'RATE-2', description: 'no 400', journal: edit.without(answered(400)), verdict: 'inconclusive' },
  { id: 'RATE-3', description: 'no 401', journal: edit.without(answered(401)), verdict: 'inconclusive' },
  { id: 'RATE-4', description: 'no 429', journal: edit.without(answered(429)), verdict: 'inconclusive' },
  { id: 'RATE-5', description: 'the number of the minute', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'RATE-5',
    description: 'the number of the day (K20)',
    journal: at(keyed, edit.header(LIMIT, '1000'), ofDay),
    verdict: 'pass',
  },
  {
    id: 'RATE-5',
    description: 'now the day, now the minute (K22)',
    journal: at(both(keyed, answered(200)), edit.header(LIMIT, '1000'), ofDay),
    verdict: 'pass',
  },
  {
    id: 'RATE-5',
    description: 'the number of the day beside a Remaining of the minute',
    journal: at(keyed, edit.header(LIMIT, '1000')),
    verdict: 'warn',
  },
  {
    id: 'RATE-5',
    description: 'an anonymous caller’s own Limit on a 401 (K30)',
    journal: at(answered(401), edit.header(LIMIT, '30'), edit.header(REMAINING, '0')),
    verdict: 'pass',
  },
  {
    id: 'RATE-5',
    description: 'an anonymous caller’s Limit of 0 (K30)',
    journal: at(answered(401), edit.header(LIMIT, '0'), edit.header(REMAINING, '0')),
    verdict: 'pass',
  },
  {
    id: 'RATE-5',
    description: 'another number',
    journal: at(look, edit.header(LIMIT, '61')),
    verdict: 'fail',
  },
  { id: 'RATE-5', description: 'a decimal', journal: at(look, edit.header(LIMIT, '60.0')), verdict: 'fail' },
  {
    id: 'RATE-5',
    description: 'with its window behind it',
    journal: at(look, edit.header(LIMIT, '60;w=60')),
    verdict: 'fail',
  },
  {
    id: 'RATE-5',
    description: 'a further plan with the first plan’s number',
    journal: at(asked('further-plans'), edit.header(LIMIT, '60')),
    verdict: 'fail',
  },
  { id: 'RATE-6', description: 'from 0 to Limit', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'RATE-6',
    description: 'Limit itself',
    journal: at(look, edit.header(REMAINING, '60')),
    verdict: 'pass',
  },
  {
    id: 'RATE-6',
    description: 'one more than Limit',
    journal: at(look, edit.header(REMAINING, '61')),
    verdict: 'fail',
  },
  {
    id: 'RATE-6',
    description: 'below zero',
    journal: at(limited, edit.header(REMAINING, '-1')),
    verdict: 'fail',
  },
  { id: 'RATE-7', description: 'one for each', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'RATE-7',
    description: 'refused creations are free',
    journal: () => falls(1, 1).add({ status: 400, method: 'POST', left: 57 }).add({ left: 56 }).lines(),
    verdict: 'pass',
  },
  {
    id: 'RATE-7',
    description: 'refused creations are given back (K33)',
    journal: () => falls(1, 1).add({ status: 400, method: 'POST', left: 56 }).add({ left: 56 }).lines(),
    verdict: 'pass',
  },
  {
    id: 'RATE-7',
    description: 'a window turns over in between (K09)',
    journal: () => falls(1, 1).add({ left: 59 }).add({ left: 58 }).lines(),
    verdict: 'pass',
  },
  {
    id: 'RATE-7',
    description: 'a window turns over in a batch (K09)',
    journal: () =>
      counts(...gets(58, 57, 56, 55, 54))
        .together(6, (i) => ({ left: [53, 59, 58, 57, 52, 56][i] ?? 0 }))
        .lines(),
    verdict: 'pass',
  },
  {
    id: 'RATE-7',
    description: 'and another one a moment later, in a batch, too',
    journal: () => {
      const run = counts(...gets(58, 57, 56, 55, 54, 53, 52)).together(6, (i) => ({ left: 59 - i }));
      for (const one of gets(53, 52, 51, 50)) run.add(one);
      return run.together(6, (i) => ({ left: 59 - i })).lines();
    },
    verdict: 'fail',
  },
  ...oneResetRows(),
  {
    id: 'RATE-7',
    description: 'out of order in a batch (K37)',
    journal: () =>
      falls(1)
        .together(3, (i) => ({ left: [55, 57, 56][i] ?? 0 }))
        .add({ left: 54 })
        .lines(),
    verdict: 'pass',
  },
  {
    id: 'RATE-7',
    description: 'now of the day, now of the minute (K21)',
    journal: () => falls(1).add({ left: 997, limit: 1000 }).add({ left: 56 }).lines(),
    verdict: 'pass',
  },
  {
    id: 'RATE-7',
    description: 'it never falls',
    journal: () => falls(0, 0, 0, 0, 0, 0).lines(),
    verdict: 'fail',
  },
  { id: 'RATE-7', description: 'two for each', journal: () => falls(2, 2, 2, 2, 2).lines(), verdict: 'fail' },
  {
    id: 'RATE-7',
    description: 'another client uses the key',
    journal: () => falls(1, 4, 1, 1, 3).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'RATE-7',
    description: 'an odd presentation of the key is counted as a stranger’s',
    journal: at(asked('presentations', 'extra spaces'), edit.header(REMAINING, '51')),
    verdict: 'pass',
  },
  {
    id: 'RATE-7',
    description: 'no usable headers',
    journal: at(() => true, edit.header(REMAINING)),
    verdict: 'inconclusive',
  },
  ...remainingRows(limited),
  { id: 'RATE-9', description: 'the end of the window', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'RATE-9',
    description: '61 s ahead (K24)',
    journal: at(look, edit.header(RESET, String(NOON + 61))),
    verdict: 'pass',
  },
  {
    id: 'RATE-9',
    description: '63.2 s ahead of a Date that is written each second: uvicorn before slowapi, which adds one',
    journal: at(look, edit.header(RESET, `${NOON + 63}.2`)),
    verdict: 'warn',
  },
  {
    id: 'RATE-9',
    description: 'a second later in one answer (K25)',
    journal: at(
      asked('first-creation'),
      seconds((one) => one + 1),
    ),
    verdict: 'pass',
  },
  { id: 'RATE-9', description: 'now', journal: at(look, edit.header(RESET, String(NOON))), verdict: 'pass' },
  {
    id: 'RATE-9',
    description: 'the end of a day of 25 hours, by a Limit of the day',
    journal: at(look, edit.header(LIMIT, '1000'), edit.header(RESET, String(NOON + 90_000))),
    verdict: 'pass',
  },
  ...(
    [
      ['http://127.0.0.1:8080/v1', 64, 'pass'],
      ['http://127.0.0.1:8080/v1', 65, 'warn'],
      ['https://api.example.com/v1', 67, 'pass'],
      ['https://api.example.com/v1', 68, 'warn'],
    ] as const
  ).map(([baseUrl, ahead, verdict]) => ({
    id: 'RATE-9' as const,
    description: `${ahead} s ahead at ${baseUrl}: clocks differ by more across a network`,
    journal: (lines: readonly JournalLine[]) =>
      at(look, edit.header(RESET, String(NOON + ahead)))(atAddress(baseUrl)(lines)),
    verdict,
  })),
  ...lateResetRows(limited, NOON + 600),
  {
    id: 'RATE-9',
    description: 'on a clock that is hours away (K27)',
    journal: at(
      everything,
      edit.turn('Date', (text) => new Date(Date.parse(text) + 7 * 3_600_000).toUTCString()),
      seconds((one) => one + 7 * 3600),
    ),
    verdict: 'pass',
  },
  ...resetSwingRows(),
  ...earlyResetRows(),
  ...undatedResetRows(everything, limited),
  {
    id: 'RATE-9',
    description: 'with decimals (K26)',
    journal: at(look, edit.header(RESET, `${NOON + 60}.25`)),
    verdict: 'warn',
  },
  {
    id: 'RATE-9',
    description: 'the end of the window, beside a Date that stands still',
    journal: at(everything, edit.header('Date', new Date((NOON - 3600) * 1000).toUTCString())),
    verdict: 'warn',
  },
  { id: 'RATE-9', description: 'seconds left', journal: at(look, edit.header(RESET, '59')), verdict: 'fail' },
  {
    id: 'RATE-9',
    description: 'milliseconds',
    journal: at(look, edit.header(RESET, String((NOON + 60) * 1000))),
    verdict: 'fail',
  },
  {
    id: 'RATE-9',
    description: 'an HTTP-date',
    journal: at(look, edit.header(RESET, new Date((NOON + 60) * 1000).toUTCString())),
    verdict: 'fail',
  },
  {
    id: 'RATE-9',
    description: 'ten seconds past',
    journal: at(look, edit.header(RESET, String(NOON - 10))),
    verdict: 'fail',
  },
  {
    id: 'RATE-9',
    description: 'a day ahead by a Limit of the minute',
    journal: at(look, edit.header(RESET, String(NOON + 86_400))),
    verdict: 'fail',
  },
  { id: 'RATE-9', description: 'none', journal: at(everything, edit.header(RESET)), verdict: 'inconclusive' },
]);
