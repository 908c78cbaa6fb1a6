import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutationsOf } from './mutations.ts';

const SOURCE = `import type { A } from './a.ts';
export const f = (x: 1 | 2, all: readonly A[]): boolean => {
  if (x < 2 && !all.some((one) => one)) return true;
  const [a, b] = [all[x] ?? 0, all.length ?? 0];
  return String(x) + 'text' === 'a' ? x + 1 > 0 : false;
};
`;

test('a module has a mutation for each operator, number, boolean, condition and method, and none for types, texts and defaults of elements', () => {
  assert.deepEqual(
    mutationsOf('f.ts', SOURCE).map(({ line, what }) => `${line}: ${what}`),
    [
      '3: x < 2 && !all.some((one) => one) → true',
      '3: x < 2 && !all.some((one) => one) → false',
      '3: < → <=',
      '3: 2 → 3',
      '3: && → ||',
      '3: ! → nothing',
      '3: some → every',
      '3: true → false',
      '4: 0 → 1',
      "5: String(x) + 'text' === 'a' → true",
      "5: String(x) + 'text' === 'a' → false",
      '5: === → !==',
      '5: + → -',
      '5: 1 → 2',
      '5: > → >=',
      '5: 0 → 1',
      '5: false → true',
    ],
  );
});

test('a mutation replaces exactly its text', () => {
  for (const { start, end, with: text, what } of mutationsOf('f.ts', SOURCE)) {
    const before = SOURCE.slice(start, end);
    assert.equal(`${before.trim()} → ${text.trim() || 'nothing'}`, what);
  }
});
