import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  conforming,
  excerpt,
  explained,
  HOSTILE,
  hostile,
  recordWith,
  violating,
  withManyExchanges,
  wrongTarget,
} from '../../evaluation/testing/reports/records.ts';
import { assertPage } from '../../evaluation/testing/tools/page.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { renderHtml } from './page.ts';
import { style } from './style.ts';

/** What a reader sees of a page, a line for each paragraph, cell or term. */
const seen = (html: string): readonly string[] =>
  html
    .replaceAll(/<(style|script)>.*?<\/\1>/gs, '')
    .replaceAll(/<\/(?:p|h\d|li|d[dt]|t[hd]|div|option|legend|label|summary|figcaption|title)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const exchanges = Array.from({ length: 40 }, (_, at) => at + 1);
const journal = { digest: `sha256:${'0123456789abcdef'.repeat(4)}` };
const product = { name: 'Pet Shelf', vendor: 'Example Ltd', version: '4.2', configuration: 'in memory' };

const RECORDS: Readonly<Record<string, RunRecord>> = {
  'a target that conforms': conforming(),
  'violations, of a product with a journal': { ...violating(), journal, product },
  'a cause': explained(),
  'a target that is not the service': wrongTarget(),
  'an exchange that the report does not have': recordWith({
    'RETRY-1': { verdict: 'fail', exchanges: [77] },
  }),
  'forty exchanges of one finding': recordWith(
    { 'RETRY-1': { verdict: 'fail', exchanges } },
    { evidence: exchanges.map((n) => excerpt(n)) },
  ),
};

test('the pages show what they are known to show, in this order', () => {
  const usual = new Set(seen(renderHtml(conforming())));
  const pages = Object.entries(RECORDS).map(([name, record], at) => {
    // Most lines of the others are those of a target that conforms.
    const lines = seen(renderHtml(record)).filter((line) => at === 0 || !usual.has(line));
    return `=== ${name}\n${[...new Set(lines)].join('\n')}\n`;
  });
  assertPage('reports/html/pages.txt', pages.join('\n'));
});

test('an exchange without an excerpt is not linked', () => {
  const html = renderHtml(recordWith({ 'RETRY-1': { verdict: 'fail', exchanges: [77] } }));
  assert.doesNotMatch(html, /href="#exchange-77"/);
});

test('long bodies, long lines and long lists of headers are cut, with a note', () => {
  const long = excerpt(12, {
    answerBody: 'b'.repeat(1_000_000),
    answerHeaders: [`X: ${'h'.repeat(10_000)}`, ...Array.from({ length: 99 }, (_, at) => `X-${at}: 1`)],
  });
  const html = renderHtml(
    recordWith({ 'RETRY-1': { verdict: 'fail', exchanges: [12] } }, { evidence: [long] }),
  );
  assert.match(html, /\[…996000 more characters\]/);
  assert.match(html, /\[…9403 more characters\]/);
  assert.match(html, /\[…40 more header lines\]/);
  assert.ok(html.length < 100_000);
});

test('text has the contrast that WCAG 2.2 demands, in the light and in the dark', () => {
  const schemes = [...style.toString().matchAll(/:root \{([^}]*--fail[^}]*)\}/g)].map(([, css = '']) =>
    coloursOf(css),
  );
  assert.equal(schemes.length, 2);
  for (const colours of schemes) {
    for (const ground of ['ground', 'raised']) {
      for (const ink of ['text', 'quiet', 'link', 'fail', 'inconclusive', 'warn', 'pass', 'not-tested']) {
        const ratio = contrast(colours.get(ink), colours.get(ground));
        assert.ok(ratio >= 4.5, `${ink} on ${ground}: ${ratio.toFixed(2)}`);
      }
    }
  }
});

const coloursOf = (css: string): ReadonlyMap<string, string> =>
  new Map(
    [...css.matchAll(/--([a-z-]+): #([0-9a-f]{6})/g)].map(([, name = '', colour = '']) => [name, colour]),
  );

function contrast(one: string | undefined, other: string | undefined): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance of an sRGB colour (WCAG 2.2, definition). */
function luminance(colour = ''): number {
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = [0, 2, 4]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('no sentence stands on several cards: a shared reason is said once', () => {
  const why = 'Clients act on the documented status.';
  const reason = 'The run was interrupted.';
  const of = (...ids: readonly string[]) => ids.map((id) => [id, { verdict: 'fail', whyItMatters: why }]);
  const html = renderHtml(
    recordWith({
      ...Object.fromEntries(of('CREATE-4', 'CREATE-5', 'CREATE-6')),
      'LIMIT-1': { verdict: 'inconclusive', reason },
      'LIMIT-2': { verdict: 'inconclusive', reason },
    }),
  );
  assert.equal(html.split(why).length, 2);
  assert.match(html, /Why CREATE-4, CREATE-5, CREATE-6 matter:<\/strong> Clients act/);
  assert.equal(html.split(reason).length, 2);
});

test('a note of what is missing never stands within code, and a line breaks no option and no id', () => {
  const html = renderHtml(
    recordWith({
      'RETRY-1': { verdict: 'fail', received: `\`${'x'.repeat(9000)}\` in exchange 12` },
      'BAN-1': { verdict: 'not-tested', reason: 'It needs a key (--disposable-key-env), as BAN-2 does.' },
    }),
  );
  assert.match(html, /x<\/code> \[…\d+ more characters\]/);
  assert.match(
    html,
    /\(<span class="whole">--disposable-key-env<\/span>\), as <span class="whole">BAN-2<\/span> does/,
  );
});

test('the policy of the page allows its own style and script by their digests, and nothing else', () => {
  const html = renderHtml(hostile(HOSTILE[0] ?? ''));
  const digest = (text = ''): string => createHash('sha256').update(text).digest('base64');
  const [, rules] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  const [, script] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  assert.equal(
    policy,
    `default-src 'none'; style-src 'sha256-${digest(rules)}'; script-src 'sha256-${digest(script)}'; base-uri 'none'; form-action 'none'`.replaceAll(
      "'",
      '&#39;',
    ),
  );
  assert.equal(html.split('<script').length, 2);
  assert.doesNotMatch(html, / style="/);
});

test('a report with 10,000 cited exchanges stays below 5 MB, and says what only the journal has', () => {
  const html = renderHtml(withManyExchanges(10_000));
  assert.ok(Buffer.byteLength(html) < 5_000_000, `${Buffer.byteLength(html)} bytes`);
  assert.match(html, /\d+ further cited exchanges would make this file too large/);
  assert.match(html, /<div id="exchange-9999">/, 'a verdict against the target rests on it');
});
