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
import { renderHtml } from './page.ts';
import { style } from './style.ts';

const idsOf = (html: string): readonly string[] =>
  [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);

test('a violation shows the sentence, the words of the specification, the evidence and the command', () => {
  const [, card = ''] =
    /<article class="finding fail" aria-labelledby="finding-RETRY-1">(.*?)<\/article>/s.exec(
      renderHtml(violating()),
    ) ?? [];
  assert.match(card, /<span class="mark" aria-hidden="true">✗<\/span> fail/);
  assert.match(
    card,
    /<span class="sentence">Every 429 response has <code class="whole">Retry-After<\/code>\.<\/span><\/h3>/,
  );
  assert.match(card, /<dt>Expected<\/dt><dd><code class="whole">Retry-After<\/code> on a 429\.<\/dd>/);
  assert.match(
    card,
    /<blockquote><p>The <code class="whole">Retry-After<\/code> header is present on a 429 response/,
  );
  assert.match(
    card,
    /<summary>Why, and the evidence: exchanges 12–13<\/summary>.*X-RateLimit-Remaining: 0\n\n\{&quot;code&quot;/s,
  );
  assert.match(card, /<pre class="command">for i in \$\(seq 61\)/);
});

test('an exchange without an excerpt is cited and not linked', () => {
  const html = renderHtml(recordWith({ 'RETRY-1': { verdict: 'fail', exchanges: [77] } }));
  assert.match(html, /Rests on exchange 77 of the journal\./);
  assert.doesNotMatch(html, /href="#exchange-77"/);
});

test('a finding that cites many exchanges shows some and links to the rest', () => {
  const exchanges = Array.from({ length: 40 }, (_, at) => at + 1);
  const html = renderHtml(
    recordWith({ 'RETRY-1': { verdict: 'fail', exchanges } }, { evidence: exchanges.map((n) => excerpt(n)) }),
  );
  assert.match(html, /3 of 40 cited exchanges are shown here\. All: <a href="#exchange-1">1–40<\/a>/);
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

test('sections without content are left out, and out of the navigation', () => {
  const html = renderHtml(conforming());
  const [, navigation = ''] = /<nav(.*?)<\/nav>/s.exec(html) ?? [];
  const there = ['tested', 'register', 'observations', 'evidence', 'guide', 'about'];
  const missing = ['fail', 'inconclusive', 'warn', 'untested', 'remarks'];
  assert.deepEqual(
    [...navigation.matchAll(/#([a-z]+)/g)].map(([, id]) => id),
    there,
  );
  assert.deepEqual(
    [...there, ...missing].filter((id) => idsOf(html).includes(id)),
    there,
  );
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

test('findings with a common cause stand below it, and a headline stands before the outcome', () => {
  const html = renderHtml(explained());
  const [, group = ''] =
    /<section class="cause" aria-labelledby="cause-fail-1">(.*?)<\/section>/s.exec(html) ?? [];
  assert.match(group, /<strong>Fix:<\/strong> Map every validation error to <code>400<\/code>\./);
  assert.deepEqual(idsOf(group), ['cause-fail-1', 'finding-CREATE-4', 'finding-CREATE-7']);
  assert.match(html, /<strong>Fix:<\/strong> Set <code class="whole">Retry-After<\/code>\./);
  const wrong = renderHtml(wrongTarget());
  assert.ok(wrong.indexOf('this does not look like the service. Did you mean') < wrong.indexOf('<h1'));
});

test('what is wrong comes first, what was not tested next, and facts and digests last', () => {
  const html = renderHtml(violating());
  const ids = [
    'fail',
    'inconclusive',
    'warn',
    'untested',
    'remarks',
    'tested',
    'register',
    'evidence',
    'about',
  ];
  const places = ids.map((id) => html.indexOf(`<h2 id="${id}">`));
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
});

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

test('the page names the product, the digests and what was not tested', () => {
  const journal = { digest: `sha256:${'0123456789abcdef'.repeat(4)}` };
  const product = { name: 'Pet Shelf', vendor: 'Example Ltd', version: '4.2', configuration: 'in memory' };
  const html = renderHtml({ ...violating(), journal, product });
  for (const text of [...Object.values(product), journal.digest, violating().spec.digest])
    assert.ok(html.includes(text), text);
  assert.match(html, /<dt><span class="whole">BAN-1 \(level bans\)<\/span><\/dt>/);
  assert.match(html, /The product is named as the user stated it/);
  const bare = renderHtml(violating());
  assert.match(bare, /not stated \(“product” in the configuration file\)/);
});

test('a passing report says what the pass rests on', () => {
  const html = renderHtml(conforming());
  assert.match(html, /Conformance certificate: Pet Store Service 1\.0\.0/);
  assert.match(html, /\d+ requirements passed on 2 exchanges of 83\./);
  assert.doesNotMatch(renderHtml(violating()), /Conformance certificate/);
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
