import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { register } from '../../spec/register.ts';
import { headingsOf, pageLines, pageOf } from './page.ts';

const titlesOf = (page: string): readonly string[] =>
  [...page.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);

for (const { id, level } of register) {
  test(`the page of ${id} says what it rests on and what shows it`, () => {
    const titles = titlesOf(pageOf(id));
    assert.ok(titles.includes('What the specification says'));
    assert.ok(
      titles.some((title) => /that show it$/.test(title)),
      titles.join(),
    );
    assert.equal(titles.includes('Why it matters'), level !== 'OBSERVE', titles.join());
  });
}

/** Judged by what the user gives to a run (its base address, a document), which no fault of a server changes. */
const BY_INPUTS: ReadonlySet<string> = new Set(['VER-1', 'VER-2']);

test('a MUST names the faults that it finds, or those that it cannot see', () => {
  const without = register
    .filter(({ id, level }) => level === 'MUST' && !BY_INPUTS.has(id))
    .filter(({ id }) => !titlesOf(pageOf(id)).some((title) => /^Faults|cannot see$/.test(title)))
    .map(({ id }) => id);
  assert.deepEqual(without, []);
});

test('every derivation that a page names is a heading of BOUNDS.md', () => {
  const bounds = readFileSync(new URL('../../kernel/rate-limits/BOUNDS.md', import.meta.url), 'utf8');
  const missing = register
    .flatMap(({ id }) => headingsOf(id))
    .filter((heading) => !bounds.includes(`\n## ${heading}\n`));
  assert.deepEqual(missing, []);
});

test('a page is Markdown, and lines for a terminal without its marks', () => {
  const page = pageOf('RATE-3');
  assert.match(page, /^# RATE-3\n\n\*\*/);
  assert.ok(pageLines(page).every((line) => !line.includes('`')));
});
