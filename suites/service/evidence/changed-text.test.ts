import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextChange } from './changed-text.ts';
import { changeOf } from './changed-text.ts';

const MARKUP = `<b>'q' & "r"</b>`;
const ACCENTS = 'caf\u00e9';

const rows: readonly (readonly [
  what: string,
  sent: string,
  received: unknown,
  kind: TextChange['kind'] | undefined,
  cause: RegExp | undefined,
])[] = [
  ['the same', 'a', 'a', undefined, undefined],
  ['white space cut off', ' a ', 'a', 'allowed', /cut off/],
  ['white space cut off at the end', ' a ', ' a', 'allowed', /at its end/],
  ['several blanks as one', 'a  b', 'a b', 'doubtful', /Several blanks/],
  ['several blanks as one, with those around it', ' a  b ', ' a b ', 'doubtful', /Several blanks/],
  ['NFC', 'cafe\u0301', ACCENTS, 'doubtful', /NFC/],
  ['CR LF', 'a\nb', 'a\r\nb', 'doubtful', /CR LF/],
  ['NFD', ACCENTS, 'cafe\u0301', 'spoiled', /NFD/],
  ['lower case', 'AbC', 'abc', 'spoiled', /lower case/],
  ['upper case', 'AbC', 'ABC', 'spoiled', /upper case/],
  ['trimmed and in lower case', ' AbC ', 'abc', 'spoiled', /lower case/],
  ['htmlspecialchars', MARKUP, '&lt;b&gt;&#039;q&#039; &amp; &quot;r&quot;&lt;/b&gt;', 'spoiled', /HTML/],
  [
    'html.escape of Python',
    MARKUP,
    '&lt;b&gt;&#x27;q&#x27; &amp; &quot;r&quot;&lt;/b&gt;',
    'spoiled',
    /HTML/,
  ],
  ['html.EscapeString of Go', MARKUP, '&lt;b&gt;&#39;q&#39; &amp; &#34;r&#34;&lt;/b&gt;', 'spoiled', /HTML/],
  ['without tags', MARKUP, `'q' & "r"`, 'spoiled', /Tags/],
  ['HTML decoded', 'a &lt; b', 'a < b', 'spoiled', /decoded/],
  ['read as Latin-1', ACCENTS, 'caf\u00c3\u00a9', 'spoiled', /Latin-1/],
  ['read as Windows-1252', '\u05e9', '\u00d7\u00a9', 'spoiled', /Latin-1/],
  ['a question mark for an emoji', 'a \u{1F408}', 'a ?', 'spoiled', /basic plane/],
  ['one for each half of it', 'a \u{1F408}', 'a ??', 'spoiled', /basic plane/],
  ['question marks for what is not ASCII', ACCENTS, 'caf?', 'spoiled', /not ASCII/],
  ['without accents', ACCENTS, 'cafe', 'spoiled', /Accents/],
  ['the first characters', 'abcdef', 'abc', 'spoiled', /first 3 characters of 6/],
  ['joined lines', 'a\nb', 'a b', 'spoiled', /joined/],
  ['doubled quotes', "it's", "it''s", 'spoiled', /doubled/],
  ['addslashes', "it's", "it\\'s", 'spoiled', /addslashes/],
  ['decoded as a URL', 'a %41', 'a A', 'spoiled', /URL/],
  ['decoded as a form', 'a+b', 'a b', 'spoiled', /form field/],
  ['a number in between', '00501', '501', 'spoiled', /leading zeros/],
  ['a date in between', '2026-03-01', '2026-03-01T00:00:00.000Z', 'spoiled', /a date/],
  ['none for an empty text', '', undefined, 'spoiled', /no value/],
  ['null for an empty text', '', null, 'spoiled', /null/],
  ['none for a text', 'a', undefined, 'spoiled', undefined],
  ['a number for a text', '7', 7, 'spoiled', undefined],
  ['another text', 'cat', 'dog', 'spoiled', undefined],
  ['an empty text for another', 'cat', '', 'spoiled', undefined],
];

for (const [what, sent, received, kind, cause] of rows) {
  test(`${what}: ${kind ?? 'no change'}`, () => {
    const change = changeOf(sent, received);
    assert.equal(change?.kind, kind);
    if (cause === undefined) assert.equal(change?.cause, undefined);
    else assert.match(change?.cause ?? '', cause);
  });
}
