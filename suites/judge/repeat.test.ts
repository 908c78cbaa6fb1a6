import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { body, RUN, Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import type { Exchange, HeaderLine } from '../../exchanges/exchange.ts';
import { repeatCommand } from './repeat.ts';

function exchange(request: Partial<Exchange['request']>, told = {}): Exchange {
  const [made] = new Synthesis().add({ probe: 'preflight', ...told }).exchanges;
  assert.ok(made !== undefined);
  return { ...made, request: { ...made.request, ...request } };
}

/** What a shell would give to curl: its arguments, one a line. */
function argumentsOf(command: string): readonly string[] {
  const script = command.replace(/^(for i in .*; do )?curl /, "$1printf '%s\\n' ");
  const env = { PATH: process.env['PATH'], PETSTORE_API_KEY: 'a key with $(touch /dev/null) in it' };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\n');
}

test('the key is an environment variable, and its value is not run', () => {
  const headers: HeaderLine[] = [['Authorization', 'Bearer [key]']];
  const words = argumentsOf(repeatCommand(RUN, exchange({ headers })));
  assert.ok(words.includes('Authorization: Bearer a key with $(touch /dev/null) in it'));
  assert.ok(words.includes('http://127.0.0.1:8080/v1/categories'));
});

test('no word of a journal is run by the shell', () => {
  const hostile = `'; touch /dev/full; echo '$(id)\`id\``;
  const text = JSON.stringify({ name: hostile });
  const command = repeatCommand(
    RUN,
    exchange({ method: 'POST', headers: [['X-Odd', hostile]], body: body(text) }),
  );
  const words = argumentsOf(command);
  assert.ok(words.includes(text));
  assert.ok(words.includes(`X-Odd: ${hostile}`));
});

test('a 429 is repeated by exhausting the quota first', () => {
  const command = repeatCommand(RUN, exchange({ headers: [] }, { status: 429 }));
  assert.match(command, /^for i in \$\(seq 61\); do curl /);
});

test('the end of a day is repeated at the pace of the run', () => {
  const command = repeatCommand(RUN, exchange({ headers: [] }, { status: 429, probe: 'spend-day' }));
  assert.match(command, /^for i in \$\(seq 1001\); do curl .*; sleep 1\.05; done$/);
});
