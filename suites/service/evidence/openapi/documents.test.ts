import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostLevels, readText } from './documents.ts';

const nested = (open: string, levels: number, close: string): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

const rows: readonly (readonly [what: string, text: string, levels: number])[] = [
  ['brackets', nested('[', 7, ']'), 7],
  ['braces', nested('{"a":', 7, '}'), 7],
  ['brackets one after the other', '[[1],[2],[3]]', 2],
  ['more that close than open', ']]][1]', 1],
  ['indentation', 'a:\n  b:\n    c: 1\n', 4],
  ['lists of lists in one line', '- - - a\n- b\n', 6],
  ['white space within a line', 'a        b\n', 0],
  ['both', 'a:\n  [1]\n', 3],
  ['lines that end with a carriage return', 'a:\r  b\r', 2],
];

for (const [what, text, levels] of rows) {
  test(`${what}: ${levels} levels at the most`, () => assert.equal(mostLevels(text), levels));
}

for (const [what, text] of [
  ['JSON', (levels: number) => nested('[', levels, ']')],
  ['YAML', (levels: number) => `a:\n${' '.repeat(levels)}b: 1\n`],
] as const) {
  test(`${what} of 400 levels is read, and of more it is not`, () => {
    assert.ok('value' in readText(text(400)));
    assert.match(JSON.stringify(readText(text(401))), /nested deeper than 400 levels/);
  });
}
