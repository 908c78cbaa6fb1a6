import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgedClient, limited, list, waits } from '../evaluation/testing/clients/scripted.ts';
import type { StatedStart } from '../evaluation/testing/clients/synthetic-client.ts';
import { clientJournal } from '../evaluation/testing/clients/synthetic-client.ts';
import { recordWith } from '../evaluation/testing/reports/records.ts';
import { renderJson } from './files.ts';
import { renderHtml } from './html/page.ts';
import { renderJunit } from './junit.ts';
import { citationOf, durationOf, momentOf } from './outcome.ts';
import { renderSummary } from './summary.ts';
import { bounded, spansOf, visibleBlock, visibleJson, visibleLine } from './written.ts';

const early = judgedClient(clientJournal(waits({ seconds: [limited(0, '3'), list(1001), list(3010)] })));
const nothing = judgedClient(clientJournal(waits({ seconds: [], creation: [], date: [] })));

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

test('exchanges are cited in stretches, in order, each once', () => {
  assert.equal(citationOf([]), '');
  assert.equal(citationOf([7, 7]), 'exchange 7');
  assert.equal(citationOf([3, 1, 2, 7, 2]), 'exchanges 1–3, 7');
});

test('times are read, and left alone where they cannot be', () => {
  const lasting = (startedAt: string, finishedAt: string): string =>
    durationOf(recordWith({}, { startedAt, finishedAt }));
  assert.equal(lasting('2026-11-21T05:00:00Z', '2026-11-21T05:00:00.2Z'), '0.2 s');
  assert.equal(lasting('2026-11-21T05:00:00Z', '2026-11-21T05:00:59Z'), '59 s');
  assert.equal(lasting('2026-11-21T05:00:00Z', '2026-11-21T05:02:05Z'), '2 min 5 s');
  assert.equal(lasting('2026-11-21T05:00:00Z', 'never'), 'an unknown time');
  assert.equal(lasting('2026-11-21T05:00:01Z', '2026-11-21T05:00:00Z'), 'an unknown time');
  assert.equal(momentOf('2026-11-21T06:17:03.9+01:00'), '2026-11-21 05:17:03 UTC');
  assert.equal(momentOf('soon'), 'soon');
});

test('what cannot be seen is written out, and line breaks only where a text is one line', () => {
  const text = 'a\u0000b\u001b[1m\u202ec\u{e0041}\ud800\uffff\r\n\tz';
  const start = 'a⟨U+0000⟩b⟨U+001B⟩[1m⟨U+202E⟩c⟨U+E0041⟩⟨U+D800⟩⟨U+FFFF⟩⟨U+000D⟩';
  assert.equal(visibleBlock(text), `${start}\n\tz`);
  assert.equal(visibleLine(text), `${start}⟨U+000A⟩⟨U+0009⟩z`);
});

test('what can be seen stays as it is', () => {
  const text = 'Crème 猫 אבג العربية 😀 e\u0301 − “x” ⟨⟩';
  assert.equal(visibleLine(text), text);
});

test('JSON keeps its meaning when unseen characters become escapes', () => {
  const value = { text: 'a\u007f\u202e\u2028\u{e0041}\ud800 猫\n' };
  const json = visibleJson(JSON.stringify(value, null, 2));
  assert.deepEqual(JSON.parse(json), value);
  assert.match(json, /a\\u007f\\u202e\\u2028\\udb40\\udc41\\ud800 猫\\n/);
});

test('a long text is cut between characters, and says how much is missing', () => {
  assert.equal(bounded('12345', 5), '12345');
  assert.equal(bounded('123456789', 5), '12345 […4 more characters]');
  assert.equal(bounded('1234😀789', 5), '1234 […5 more characters]');
});

test('code stands between two backticks, and a lone backtick is a character', () => {
  const words = (text: string) => ({ kind: 'words', text });
  const code = (text: string) => ({ kind: 'code', text });
  assert.deepEqual(spansOf('a `b` c'), [words('a '), code('b'), words(' c')]);
  assert.deepEqual(spansOf('a `b'), [words('a '), words('`b')]);
  assert.deepEqual(spansOf('`a` `b'), [code('a'), words(' '), words('`b')]);
  assert.deepEqual(spansOf(''), []);
});
