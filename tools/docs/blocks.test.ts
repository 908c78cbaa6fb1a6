import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocsError, fillBlocks, table } from './blocks.ts';

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

for (const [what, text, says] of [
  [
    'a name without a generator',
    '<!-- generated:three --><!-- /generated -->',
    /^a\.md has the generated block "three".*: one, two\.$/,
  ],
  [
    'a block without an end',
    '<!-- generated:one -->',
    /^a\.md: the marker <!-- generated:one --> is unpaired/,
  ],
  ['an end without a block', '<!-- /generated -->', /^a\.md: the marker <!-- \/generated --> is unpaired/],
  [
    'a block in a block',
    '<!-- generated:one --><!-- generated:two --><!-- /generated -->',
    /generated:two --> is unpaired/,
  ],
] as const) {
  test(`${what} is rejected`, () =>
    assert.throws(
      () => fill(text),
      (error) => error instanceof DocsError && says.test(error.message),
    ));
}

test('a cell cannot end its cell or its row', () => {
  assert.equal(
    table(['A', 'B'], [['a | b', 'two\n  lines']]),
    '| A | B |\n|---|---|\n| a \\| b | two lines |',
  );
});
