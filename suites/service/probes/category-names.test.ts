import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientChosenId, nameForms, SHORTEST_NAME } from './category-names.ts';
import { invalidBodies } from './rejections.ts';

const WHATS = [
  'full-1',
  'name-alone',
  'own-id-1',
  'own-id-2',
  ...invalidBodies.map((_, i) => `bad-${i + 1}`),
];
const TAGS = Array.from({ length: 300 }, (_, n) => `tag${n}`);

test('names of every form differ within a run and between runs, and none is too short to be recognized', () => {
  for (const form of [0, 1, 2, 3]) {
    const names = TAGS.flatMap((tag) => WHATS.map((what) => nameForms({ tag })[form]?.write(what) ?? ''));
    // Six letters: of thousands of names hardly two are the same.
    assert.ok(names.length - new Set(names).size <= 1);
    assert.ok(names.every((name) => name.length >= SHORTEST_NAME));
  }
});

test('the plainest names are letters alone, and no first name is longer than 22 characters', () => {
  for (const what of WHATS) {
    const [first, plain, twoWords, capital] = nameForms({ tag: 'abcdefgh' }).map((form) => form.write(what));
    assert.match(first ?? '', /^pc-abcdefgh-[a-z0-9-]{1,10}$/);
    assert.match(plain ?? '', /^pc[a-z]{6}$/);
    assert.match(twoWords ?? '', /^Pet [A-Z][a-z]{5}$/);
    assert.match(capital ?? '', /^Pc[a-z]{6}$/);
  }
});

test('the id that no service assigns by itself fits into 32 bits', () => {
  for (const tag of TAGS) {
    const id = clientChosenId(tag);
    assert.ok(Number.isSafeInteger(id) && id >= 10 ** 9 && id < 2 ** 31);
  }
});
