import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HtmlValidate } from 'html-validate';
import {
  conforming,
  excerpt,
  explained,
  HOSTILE,
  hostile,
  incomplete,
  recordWith,
  violating,
  wrongTarget,
} from '../../evaluation/testing/reports/records.ts';
import { renderHtml } from '../index.ts';
import { style } from './style.ts';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: { 'no-trailing-whitespace': 'off', 'long-title': 'off' },
});

test('the page is valid HTML, whatever the target said', async () => {
  for (const record of [conforming(), violating(), incomplete(), ...HOSTILE.map(hostile)]) {
    const report = await validator.validateString(renderHtml(record));
    const complaints = report.results
      .flatMap((one) => one.messages)
      .map((one) => `${one.line}: ${one.message} ${one.ruleId}`);
    assert.deepEqual(complaints, []);
  }
});

const idsOf = (html: string): readonly string[] =>
  [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);

test('every link leads to a place on the page, and no place is named twice', () => {
  const html = renderHtml(violating());
  const ids = idsOf(html);
  const links = [...html.matchAll(/ href="([^"]*)"/g)].map(([, link]) => link);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    links.filter((link) => !ids.some((id) => link === `#${id}`)),
    [],
  );
  assert.ok(links.includes('#exchange-12'));
});

test('a violation shows the sentence, the words of the specification, the evidence and the command', () => {
  const [, card = ''] =
    /<article class="finding fail" aria-labelledby="finding-RETRY-1">(.*?)<\/article>/s.exec(
      renderHtml(violating()),
    ) ?? [];
  assert.match(card, /<span class="mark" aria-hidden="true">✗<\/span> fail/);
  assert.match(card, /<p class="sentence">Every 429 response has <code>Retry-After<\/code>\.<\/p>/);
  assert.match(card, /<blockquote><p>The <code>Retry-After<\/code> header is present on a 429 response/);
  assert.match(
    card,
    /<summary>Evidence: exchanges 12–13<\/summary>.*X-RateLimit-Remaining: 0\n\n\{&quot;code&quot;/s,
  );
  assert.match(card, /<pre>for i in \$\(seq 61\)/);
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
  assert.match(html, /6 of 40 cited exchanges are shown here\. All: <a href="#exchange-1">1–40<\/a>/);
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
  const there = ['register', 'observations', 'evidence', 'guide'];
  const missing = ['fail', 'inconclusive', 'warn', 'remarks'];
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

test('a cause links to its findings and they to it, and a headline stands before the outcome', () => {
  const html = renderHtml(explained());
  const ids = idsOf(html);
  for (const id of ['causes', 'finding-CREATE-4', 'finding-CREATE-7']) {
    assert.ok(ids.includes(id), id);
    assert.ok(html.includes(`href="#${id}"`), id);
  }
  assert.match(html, /<dt>Fix<\/dt><dd>Set <code>Retry-After<\/code>\./);
  const wrong = renderHtml(wrongTarget());
  assert.ok(wrong.indexOf('this does not look like the service. Did you mean') < wrong.indexOf('<h1'));
});
