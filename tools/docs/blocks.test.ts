import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillBlocks, table } from './blocks.ts';

const generators = { one: () => 'made anew', two: () => '\nmade, too\n' };
const fill = (text: string) => fillBlocks('a.md', text, generators);

test('what lies between markers is made anew, and everything else stays', () => {
  const text = [
    '# Title',
    '<!-- generated:one -->',
    'old',
    '<!-- /generated -->',
    'prose',
    '<!-- generated:two -->',
    '<!-- /generated -->',
    'end\n',
  ].join('\n');
  const filled = fill(text);
  assert.equal(
    filled.text,
    text
      .replace('old', 'made anew')
      .replace('<!-- generated:two -->\n', '<!-- generated:two -->\nmade, too\n'),
  );
  assert.deepEqual(filled.names, ['one', 'two']);
});

test('a name without a generator is rejected', () =>
  assert.throws(
    () => fill('<!-- generated:three --><!-- /generated -->'),
    /a\.md has the generated block "three".*: one, two\.$/,
  ));

test('a cell cannot end its cell or its row', () => {
  assert.equal(
    table(['A', 'B'], [['a | b', 'two\n  lines']]),
    '| A | B |\n|---|---|\n| a \\| b | two lines |',
  );
});
