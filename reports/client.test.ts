import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgedClient, limited, list, waits } from '../evaluation/testing/clients/judged-client.ts';
import type { StatedStart } from '../evaluation/testing/clients/synthetic-client.ts';
import { clientJournal } from '../evaluation/testing/clients/synthetic-client.ts';
import { renderHtml } from './html/page.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderSummary } from './summary.ts';
import { renderVerdict } from './verdict.ts';

const early = judgedClient(clientJournal(waits({ seconds: [limited(0, '3'), list(1001), list(3010)] })));
const nothing = judgedClient(clientJournal(waits({ seconds: [], creation: [], date: [] })));
const style = { colour: false, width: 100 };

test('every report of a client is about the client, and not about a target', () => {
  for (const record of [early, nothing]) {
    for (const render of [renderHtml, renderJunit, renderSummary]) {
      const text = render(record);
      assert.match(text, /node client\.mjs/);
      assert.doesNotMatch(text.replace(/<style>.*<\/style>/s, ''), /\b[Tt]arget\b/);
    }
    assert.deepEqual(JSON.parse(renderJson(record)), JSON.parse(JSON.stringify(record)));
  }
});

test('the closing verdict names the client, and shows the timeline of a violation with its waits in seconds', () => {
  const text = renderVerdict(early, style);
  assert.match(text, /✗ The client violates 2 requirements of the specification\./);
  assert.match(text, /Client: node client\.mjs/);
  assert.match(
    text,
    /`wait-seconds` \(repetition 1\): GET at 0\.00 s → 429, wait 3\.00 s, GET at 1\.00 s \(2\.00 s early\)/,
  );
  assert.match(text, /│ ▼═+!═+•/);
  assert.match(text, /CLIENT-5 \(not judged\): This run did not include the test/);
});

test('a client that sends nothing has no verdict, and the report says why', () => {
  const text = renderVerdict(nothing, style);
  assert.match(text, /No verdict: the client sent no request\./);
  assert.match(text, /reads PETSTORE_TARGET/);
  assert.doesNotMatch(text, /CLIENT-1 inconclusive/);
  assert.match(renderJunit(nothing), /<error type="no-requests"/);
});

test('what a client prints and sends stays text', () => {
  const hostile = '<script>alert(1)</script>';
  const starts: readonly StatedStart[] = waits({
    seconds: [limited(0, '3'), { at: 5, target: `/v1/categories?${hostile}` }],
  });
  const record = judgedClient(
    clientJournal(starts, { kind: 'command', words: ['sh', hostile], where: 'this host' }),
  );
  assert.ok(!renderHtml(record).includes(hostile));
  assert.ok(!renderJunit(record).includes(hostile));
});
