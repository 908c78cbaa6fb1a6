import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillBlocks, table } from './blocks.ts';

const generators = { one: () => 'made anew', two: () => '\nmade, too\n' };
const fill = (text: string) => fillBlocks('a.md', text, generators);

test('what lies between markers is made anew, and everything else stays', () => {
  const page = (one: string, two: string): string =>
    `# Title\n<!-- generated:one -->\n${one}<!-- /generated -->\nprose\n<!-- generated:two -->\n${two}<!-- /generated -->\nend\n`;
  const text = page('made anew\n', 'made, too\n');
  assert.deepEqual(fill(page('old\n', '')), { text, names: ['one', 'two'] });
});

test('a name without a generator is rejected', () =>
  assert.throws(
    () => fill('<!-- generated:three --><!-- /generated -->'),
    /a\.md has the generated block "three".*: one, two\.$/,
  ));

test('a cell cannot end its cell or its row', () => {
  const shown = table(['A', 'B'], [['a | b', 'two\n  lines']]);
  assert.equal(shown, '| A | B |\n|---|---|\n| a \\| b | two lines |');
});
