import assert from 'node:assert/strict';
import { test } from 'node:test';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import {
  conforming,
  explained,
  HOSTILE,
  hostile,
  incomplete,
  recordWith,
  violating,
  wrongTarget,
} from '../evaluation/testing/reports/records.ts';
import { renderSummary } from './summary.ts';
import { visibleLine } from './written.ts';

/** As GitHub reads it: raw HTML goes through, so whatever could be smuggled in shows. */
const read = (source: string): string =>
  micromark(source, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });

const tagsOf = (html: string): readonly string[] => [
  ...new Set(
    [...html.replaceAll('<!-- -->', '').matchAll(/<(!--|\/?[a-z][a-z0-9]*)/gi)].map(([, tag = '']) => tag),
  ),
];

const OURS = /^\/?(h2|h3|p|br|strong|code|table|thead|tbody|tr|th|td|ul|li)$/;

test('the summary of a violation says what, why and where to look', () => {
  const html = read(renderSummary(violating()));
  assert.match(html, /<h2>✗ petstore-conformance: violates<\/h2>/);
  assert.match(html, /<strong>The target violates 2 requirements of the specification\.<\/strong>/);
  assert.match(
    html,
    /<td>✗<\/td>\n<td><strong>RETRY-1<\/strong> MUST: Every 429 response has <code>Retry-After<\/code>\.<\/td>\n<td><strong>Expected:<\/strong> <code>Retry-After<\/code> on a 429\.<br><strong>Received:<\/strong> None in exchange 12 .*<br><strong>Why it matters:<\/strong> .*<br><strong>Fix:<\/strong> .*<br><strong>Evidence:<\/strong> exchanges 12–13<\/td>/,
  );
  assert.match(
    html,
    /<h3>Inconclusive<\/h3>.*LIMIT-2.*<h3>Warn<\/h3>.*HTTP-1.*<h3>Remarks<\/h3>\n<ul>\n<li>The window of this plan file lasts 2 s/s,
  );
  assert.match(html, /<td align="right">2<\/td>\n<td align="right">1<\/td>\n<td align="right">1<\/td>/);
});

test('a section without content is left out', () => {
  assert.doesNotMatch(renderSummary(conforming()), /^###/m);
  assert.deepEqual(renderSummary(incomplete()).match(/^### .*/gm), ['### Inconclusive', '### Remarks']);
});

test('hostile text adds no element, no row, no link, no mention, and reads as it was', () => {
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
  }
});

const escaped = (text: string): string =>
  visibleLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** What a reader sees, but for the marks of code and for spaces. */
const words = (html: string): string => html.replace(/<[^>]*>|[`\s]/g, '');

test('no line begins with text from a target, and a long text is cut', () => {
  for (const text of HOSTILE) assert.doesNotMatch(renderSummary(hostile(text)), /^\s*::/m);
  const summary = renderSummary(
    recordWith({ 'RETRY-1': { verdict: 'fail', reasoning: 'long '.repeat(1000) } }),
  );
  assert.match(summary, /\[…|&#91;…4400 more characters&#93;/);
  assert.ok(summary.length < 3000);
});

test('causes stand before the findings that they explain, and a headline before everything', () => {
  const html = read(renderSummary(explained()));
  assert.match(
    html,
    /<h3>Causes<\/h3>.*return 422 instead of 400\.<\/td>\n<td>CREATE-4, CREATE-7<\/td>\n<td>Map every.*<h3>Fail<\/h3>/s,
  );
  assert.match(html, /RETRY-1.*<strong>Fix:<\/strong> Set <code>Retry-After<\/code>\./s);
  assert.doesNotMatch(renderSummary(wrongTarget()), /LIST-1/);
  assert.match(
    read(renderSummary(wrongTarget())),
    /<\/h2>\n<p><strong>GET http.*answers 404: this does not look like the service\./,
  );
});
