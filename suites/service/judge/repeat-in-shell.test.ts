import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { body, RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Exchange, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { repeatCommand } from './repeat.ts';

/** The command that sends a usual request with these parts again. */
function commandOf(request: Partial<Exchange['request']>): string {
  const exchanges = new Synthesis()
    .add({ probe: 'preflight' })
    .exchanges.map((one) => ({ ...one, request: { ...one.request, ...request } }));
  return repeatCommand(RUN, exchanges);
}

/** What a shell would give to curl: its arguments, one a line. */
function argumentsOf(command: string): readonly string[] {
  const script = command.replace(/^(for i in .*; do )?curl /, "$1printf '%s\\n' ");
  const env = { PATH: process.env['PATH'], PETSTORE_API_KEY: 'a key with $(touch /dev/null) in it' };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\n');
}

test('the key is an environment variable, and its value is not run', () => {
  const headers: HeaderLine[] = [['Authorization', 'Bearer [key]']];
  const words = argumentsOf(commandOf({ headers }));
  assert.ok(words.includes('Authorization: Bearer a key with $(touch /dev/null) in it'));
  assert.ok(words.includes('http://127.0.0.1:8080/v1/categories'));
});

test('no word of a journal is run by the shell', () => {
  const hostile = `'; touch /dev/full; echo '$(id)\`id\``;
  const text = JSON.stringify({ name: hostile });
  const command = commandOf({ method: 'POST', headers: [['X-Odd', hostile]], body: body(text) });
  const words = argumentsOf(command);
  assert.ok(words.includes(text));
  assert.ok(words.includes(`X-Odd: ${hostile}`));
});
