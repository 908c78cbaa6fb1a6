import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bounded, spansOf, visibleBlock, visibleJson, visibleLine } from './foreign-text.ts';

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
