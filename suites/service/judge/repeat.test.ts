import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { body, RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Exchange, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { repeatCommand, timelineOf } from './repeat.ts';

function exchange(request: Partial<Exchange['request']>, told = {}): Exchange {
  const [made] = new Synthesis().add({ probe: 'preflight', ...told }).exchanges;
  assert.ok(made !== undefined);
  return { ...made, request: { ...made.request, ...request } };
}

const commandOf = (...exchanges: readonly Exchange[]): string => repeatCommand(RUN, exchanges);

test('each key is a variable of its own', () => {
  const commands = commandOf(
    ...['[key]', '[other key]', '[Business key]'].map((key) =>
      exchange({ headers: [['Authorization', key]] }),
    ),
  );
  assert.deepEqual(commands.match(/"\$[A-Z_]+"/g), [
    '"$PETSTORE_API_KEY"',
    '"$PETSTORE_OTHER_KEY"',
    '"$PETSTORE_BUSINESS_KEY"',
  ]);
});

test('a 429 is repeated by exhausting the quota first', () => {
  const command = commandOf(exchange({ headers: [] }, { status: 429 }));
  assert.match(command, /^for i in \$\(seq 61\); do curl [^;]*; done$/);
});

test('the end of a day is repeated at the pace of the run', () => {
  const command = commandOf(exchange({ headers: [] }, { status: 429, probe: 'spend-day' }));
  assert.match(command, /^for i in \$\(seq 1001\); do curl .*; sleep 1\.05; done$/);
});

test('a creation beyond the limit is repeated behind lists, because nobody can delete categories', () => {
  const headers: HeaderLine[] = [
    ['Authorization', 'Bearer [key]'],
    ['Content-Type', 'application/json'],
  ];
  const creation = { method: 'POST', headers, body: body('{"name":"one"}') } as const;
  const command = commandOf(exchange(creation, { status: 429 }));
  const [loop = '', once = ''] = command.split('; done; ');
  assert.match(loop, /^for i in \$\(seq 60\); do curl .* 'http:\/\/127\.0\.0\.1:8080\/v1\/categories'$/);
  assert.doesNotMatch(loop, /POST|Content-Type|--data/);
  assert.match(once, /^curl .*--request POST .*--data-binary '\{"name":"one"\}'/);
});

test('a header that curl sends by itself is repeated where its value is not that of the run', () => {
  const named = (name: string): Exchange => exchange({ headers: [['User-Agent', name]] });
  assert.doesNotMatch(commandOf(named('petstore-conformance')), /User-Agent/);
  assert.match(commandOf(named('another')), /--header 'User-Agent: another'/);
});

test('what two requests show together is repeated with both, one a line', () => {
  const lines = commandOf(exchange({ headers: [] }), exchange({ headers: [['X-Two', '2']] })).split('\n');
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /X-Two/);
});

const isExchange = (line: { readonly kind: string }): line is Exchange => line.kind === 'exchange';
const exchanges = (await virtualRun({})).lines.filter(isExchange);
const start = exchanges[0]?.sent.mono ?? 0;

test('each exchange has its figures, in the order of sending', () => {
  const { entries, omitted } = timelineOf([...exchanges].reverse(), start);
  assert.equal(omitted, 0);
  assert.equal(entries.length, exchanges.length);
  assert.ok(entries.every(({ at }, i) => i === 0 || at >= (entries[i - 1]?.at ?? 0)));
  const limited = entries.find(({ caller, status }) => caller === 'key' && status === 429);
  assert.ok(limited !== undefined);
  assert.equal(limited.remaining, 0);
  assert.ok((limited.wait ?? 0) > 0 && (limited.wait ?? 0) <= 60_000);
  const { reset = 0, at, wait = 0 } = limited;
  assert.ok(Math.abs(reset - at - wait) < 2500, 'Reset and Retry-After state the same moment');
});

test('of a long run accepted exchanges are left out, evenly, and every other one stays', () => {
  const many = Array.from({ length: 200 }, () => exchanges.map((one) => ({ ...one }))).flat();
  const { entries, omitted } = timelineOf(many, start);
  assert.equal(entries.length, 3000);
  assert.equal(omitted, many.length - 3000);
});

test('what a target makes up is no figure', () => {
  const [first] = exchanges;
  assert.ok(first?.outcome.kind === 'answer');
  const outcome = {
    ...first.outcome,
    status: 429,
    headers: [
      ['X-RateLimit-Reset', '999999999999999'],
      ['Retry-After', '99999999999999999999999'],
      ['X-RateLimit-Remaining', '-1'],
    ] as const,
  };
  const [entry] = timelineOf([{ ...first, outcome }], start).entries;
  assert.deepEqual(Object.keys(entry ?? {}), ['n', 'caller', 'at', 'milliseconds', 'status']);
});
