import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedText } from './sender.ts';

for (const [printed, text] of [
  ['', undefined],
  ['ready\nbye\n', 'The last line that it printed: "bye".'],
  ['TypeError: no such field\n    at client.mjs:3\n', 'It printed: "TypeError: no such field".'],
  [
    "/srv/a-folder/with-a-name/of-a-gem/lib/retry.rb:220:in `pause': uninitialized constant DateTime (NameError)\n\tfrom /srv/x.rb:8\n",
    'It printed: "uninitialized constant DateTime (NameError)".',
  ],
] as const) {
  test(`what a client printed: ${text ?? 'nothing'}`, () => {
    assert.equal(printedText(printed), text);
  });
}
