import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { XMLParser } from 'fast-xml-parser';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { judgedClient, limited, list, waits } from '../evaluation/testing/clients/scripted.ts';
import type { StatedStart } from '../evaluation/testing/clients/synthetic-client.ts';
import { clientJournal } from '../evaluation/testing/clients/synthetic-client.ts';
import { emptyLoadRun, loadRun, phasedLoadRun } from '../evaluation/testing/reports/load-runs.ts';
import {
  conforming,
  explained,
  HOSTILE,
  hostile,
  incomplete,
  known,
  recordWith,
  violating,
  wrongTarget,
} from '../evaluation/testing/reports/records.ts';
import { assertPage } from '../evaluation/testing/tools/page.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import { renderBadgeJson } from './badge.ts';
import { renderJson } from './files.ts';
import { renderHtml } from './html/page.ts';
import { renderJunit } from './junit.ts';
import { citationOf, durationOf, momentOf } from './outcome.ts';
import { renderSummary } from './summary.ts';
import { renderVerdict } from './verdict.ts';
import { bounded, spansOf, visibleBlock, visibleJson, visibleLine } from './written.ts';

// What the reports of text say, on one page: a change of their words is read where it changes.

const PAGE = 'reports/texts.txt';
const PLAIN = { colour: false, width: 80 };

const fact = { expected: 'this', received: 'that', whyItMatters: 'It matters.' };
const lost = { verdict: 'inconclusive', reason: 'The run was interrupted.' } as const;
const untested = { verdict: 'not-tested' } as const;
const oneKey = { 'LIMIT-7': untested, 'LIMIT-9': untested, 'BAN-1': untested, 'VER-2': untested };
const quick = { selection: { kind: 'quick', requirements: ['LIST-1'] }, outcome: 'incomplete' } as const;

/** A record of which one cause has findings of several verdicts, and its own order of them. */
function severalVerdicts(): RunRecord {
  const record = explained();
  const requirements = record.requirements.map((one) =>
    one.id === 'CREATE-7' && one.verdict === 'fail' ? { ...one, verdict: 'warn' as const } : one,
  );
  const causes = record.causes.map((one) => ({ ...one, requirements: ['CREATE-7', 'CREATE-4'] as const }));
  return { ...record, causes, requirements };
}

const RECORDS: Readonly<Record<string, RunRecord>> = {
  'a target that conforms': conforming(),
  'one key': recordWith(oneKey),
  'one key and a second caller': recordWith({ ...oneKey, 'LIMIT-7': {} }),
  'one key and a used day': recordWith({ ...oneKey, 'LIMIT-9': {} }),
  'one key and a disposable one': recordWith({ ...oneKey, 'BAN-1': {} }),
  'a core that lacks a requirement': recordWith({ ...oneKey, 'AUTH-5': untested }),
  'a warning that no level requires': recordWith({ ...oneKey, 'CREATE-11': { verdict: 'warn' } }),
  'two violations': violating(),
  'violations of which a baseline knows one': known(),
  'a run that was interrupted': incomplete(),
  'a run that ended before a verdict': recordWith({}, { outcome: 'incomplete' }),
  'a cause': explained(),
  'a cause of several verdicts': severalVerdicts(),
  'a target that is not the service': wrongTarget(),
  'a rejected key': recordWith(
    { 'LIST-1': lost, 'LIST-2': { ...lost, reason: 'Another reason.' } },
    { headline: { kind: 'key-rejected', text: 'The key was rejected (401).', fix: 'Check the key.' } },
  ),
  'a reason that several findings share': recordWith({ 'LIST-1': lost, 'LIST-2': lost, 'RETRY-3': lost }),
  'findings of each verdict': recordWith({
    'RETRY-1': { verdict: 'fail', ...fact, fix: 'Set it.', exchanges: [12, 13], repeat: 'curl \\\n  -i' },
    'RETRY-2': { verdict: 'inconclusive', reason: 'Because.' },
    'RETRY-4': { verdict: 'inconclusive', reason: 'Because of this.' },
    'BAN-1': { verdict: 'not-tested', reason: 'It needs a key.' },
    'HTTP-1': { verdict: 'warn', ...fact },
  }),
  'a long command': recordWith({ 'RETRY-1': { ...lost, repeat: `curl --data '${'x'.repeat(700)}'` } }),
  'a partial run': recordWith({}, quick),
  'a partial run with violations': { ...violating(), selection: quick.selection },
  'a client that comes too early': judgedClient(
    clientJournal(waits({ seconds: [limited(0, '3'), list(1001), list(3010)] })),
  ),
  'a client that sends nothing': judgedClient(clientJournal(waits({ seconds: [], creation: [], date: [] }))),
  'a load run with a violation': loadRun().record,
  'a load run that conforms': loadRun('staging', 'conforms').record,
  'a load run without a verdict': loadRun('staging', 'incomplete').record,
  'a load run that stopped': emptyLoadRun().record,
  'a load run with phases': phasedLoadRun().record,
};

test('the reports of text say what they are known to say', () => {
  const usual = renderJunit(conforming()).split('\n');
  const page = Object.entries(RECORDS).map(([name, record], at) => {
    const { message, isError } = JSON.parse(renderBadgeJson(record));
    // Most lines of the others are those of the first, a target that conforms.
    const junit = new Set(renderJunit(record).split('\n'));
    if (at > 0 && record.subject === 'service') for (const line of usual) junit.delete(line);
    return [
      `=== ${name}: ${message}${isError ? ' (an error)' : ''}`,
      renderVerdict(record, PLAIN),
      renderSummary(record),
      ...junit,
    ].join('\n');
  });
  assertPage(PAGE, page.join('\n'));
});

test('the console: lines keep to the width of the terminal, between 40 and 110 columns, and lose no word', () => {
  const reason = `A ${'word '.repeat(60)}${'w'.repeat(300)}`;
  const record = recordWith({ 'RETRY-1': { verdict: 'inconclusive', reason } });
  for (const [width, most] of [
    [20, 40],
    [72, 72],
    [500, 110],
    [Number.NaN, 40],
  ] as const) {
    const [first = ''] = renderVerdict(record, { colour: false, width }).split('\n\n');
    for (const line of first.split('\n')) assert.ok(line.length <= most, `${width}: ${line}`);
    assert.equal(first.replaceAll('\n│ ', '').match(/w/g)?.length, 60 + 300);
  }
});

test('the console: colour changes no word, and without it there is no escape sequence', () => {
  for (const record of Object.values(RECORDS)) {
    const [coloured, bare] = [
      renderVerdict(record, { ...PLAIN, colour: true }),
      renderVerdict(record, PLAIN),
    ];
    assert.ok(coloured.includes('\u001b[') && !bare.includes('\u001b'));
    assert.equal(stripVTControlCharacters(coloured), bare);
  }
});

test('the console: hostile text moves no cursor, reverses no line and gives a build server no command', () => {
  const folded = `${'x'.repeat(37)} `.repeat(3).concat('::error::forged ');
  for (const text of [...HOSTILE, folded, folded.slice(2), folded.slice(8)]) {
    for (const width of [40, 80]) {
      const verdict = renderVerdict(hostile(text), { colour: false, width });
      assert.doesNotMatch(verdict, /[^\n\P{Cc}]|[\u202a-\u202e\u2066-\u2069\u200b\u2028\u2029]/u, text);
      assert.doesNotMatch(verdict, /^\s*::|##[\w-]*\[/m, text);
    }
    for (const { record } of [loadRun(text), phasedLoadRun(text)])
      for (const line of renderVerdict(record, PLAIN).split('\n'))
        assert.match(line, /^(?:$|[✓✗?│] ?|Next: |Ended: |Target: |\d+ (?:fail|inconclusive|pass) · )/);
  }
});

/** The summary as GitHub reads it: raw HTML goes through, so whatever could be smuggled in shows. */
const read = (source: string): string =>
  micromark(source, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });

const tagsOf = (html: string): readonly string[] => [
  ...new Set(
    [...html.replaceAll('<!-- -->', '').matchAll(/<(!--|\/?[a-z][a-z0-9]*)/gi)].map(([, tag = '']) => tag),
  ),
];

const OURS = /^\/?(h2|h3|p|br|strong|code|table|thead|tbody|tr|th|td|ul|li)$/;

const escaped = (text: string): string =>
  visibleLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** What a reader sees, but for the marks of code and for spaces. */
const words = (html: string): string => html.replace(/<[^>]*>|[`\s]/g, '');

test('the summary: hostile text adds no element, row, link or mention, begins no line, and reads as it was', () => {
  const shape = (html: string): string => (html.match(/<\/?(h[1-6]|p|table|tr|td|ul|li)\b/g) ?? []).join('');
  const harmless = shape(read(renderSummary(hostile('harmless'))));
  for (const text of HOSTILE) {
    const source = renderSummary(hostile(text));
    const html = read(source);
    assert.deepEqual(
      tagsOf(html).filter((tag) => !OURS.test(tag)),
      [],
      text,
    );
    assert.equal(shape(html), harmless, text);
    assert.doesNotMatch(html, /[@#](?=[\w-])(?![^<]*<\/code>)/, text);
    if (text.length < 600) assert.ok(words(html).includes(words(escaped(text))), text);
    const ofLoad = [loadRun(text), phasedLoadRun(text)].map(({ record }) => renderSummary(record));
    for (const summary of [source, ...ofLoad]) {
      assert.equal(summary, visibleBlock(summary));
      assert.doesNotMatch(summary, /^(?:\s*::|# heading|- item|##\[)/m);
    }
  }
});

test('the summary: a long text is cut', () => {
  const reasoning = 'long '.repeat(1000);
  const summary = renderSummary(recordWith({ 'RETRY-1': { verdict: 'fail', reasoning } }));
  assert.match(summary, /\[…|&#91;…4400 more characters&#93;/);
  assert.ok(summary.length < 3000);
});

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', parseTagValue: false, trimValues: false },
  ...{ htmlEntities: true, isArray: (name: string) => name === 'testsuite' || name === 'testcase' },
});

interface Case {
  readonly '@name': string;
  readonly failure?: { readonly '#text': string };
}

test('JUnit: hostile text neither breaks the file nor forges a case, and reads as it was', () => {
  for (const text of HOSTILE) {
    const { testsuites } = parser.parse(renderJunit(hostile(text)));
    const suites: readonly { readonly testcase: readonly Case[] }[] = testsuites.testsuite;
    const cases = suites.flatMap(({ testcase }) => testcase);
    assert.equal(cases.length, conforming().requirements.length);
    const retry = cases.find((one) => one['@name'].startsWith('RETRY-1 '))?.failure?.['#text'] ?? '';
    assert.ok(text.length >= 3900 || retry.includes(`Why it matters: ${visibleBlock(text)}`), text);
  }
});

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
