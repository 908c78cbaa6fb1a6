import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sectionsOf } from '../evaluation/testing/spec/prose.ts';
import { entry, loadRegister, register } from './register.ts';

const prose = readFileSync(new URL('./interface-specification.md', import.meta.url), 'utf8');
const sections = sectionsOf(prose);

for (const { id, from } of [...register, ...loadRegister]) {
  if (from === undefined) continue;
  test(`${id} quotes the specification to the letter`, () => {
    const section = sections.get(from.section);
    assert.ok(
      section !== undefined,
      `interface-specification.md has no section #${from.section}; it has #${[...sections.keys()].join(', #')}`,
    );
    assert.notEqual(from.quote.trim(), '');
    assert.ok(section.includes(from.quote), `#${from.section} does not say "${from.quote}"`);
  });
}

test('no id stands twice', () => {
  const ids: readonly string[] = [...register, ...loadRegister].map(({ id }) => id);
  assert.deepEqual(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
  );
});

test('an id is its prefix and a number, and a prefix stays within one chapter', () => {
  const chapters = new Map<string, string>();
  for (const { id, chapter } of register) {
    const prefix = /^([A-Z]+)-[1-9]\d*$/.exec(id)?.[1];
    assert.ok(prefix !== undefined, id);
    assert.equal(chapters.get(prefix) ?? chapter, chapter, `${prefix} stands in two chapters`);
    chapters.set(prefix, chapter);
  }
});

test('the duties of a client, and only they, are judged by certify-client', () => {
  for (const { id, judged } of register) {
    assert.equal(judged, id.startsWith('CLIENT-') ? 'by certify-client' : 'by certify', id);
  }
});

test('entry finds each requirement by its id', () => {
  for (const one of register) assert.equal(entry(one.id), one);
});

test('entry rejects an id that the compiler did not see', () => {
  const foreign: { id: (typeof register)[number]['id'] } = JSON.parse('{"id":"LIST-99"}');
  assert.throws(() => entry(foreign.id), new RangeError('The register has no requirement LIST-99.'));
});
