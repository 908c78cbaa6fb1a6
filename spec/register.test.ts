import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sectionsOf } from '../evaluation/testing/documents.ts';
import { scoredOf, setOfRelease } from '../tools/release/scored-set.ts';
import { entry, loadRegister, register } from './register.ts';
import { isNewer, scoredSets, setOf } from './sets.ts';
import { digestOf, loadSpecification } from './specification.ts';

const prose = readFileSync(new URL('./interface-specification.md', import.meta.url), 'utf8');
const sections = sectionsOf(prose);

const entries = [...register, ...loadRegister];

for (const { id, from } of entries) {
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
  const ids: readonly string[] = entries.map(({ id }) => id);
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

test('entry finds each requirement by its id', () => {
  for (const one of register) assert.equal(entry(one.id), one);
});

test('entry rejects an id that the compiler did not see', () => {
  const foreign: { id: (typeof register)[number]['id'] } = JSON.parse('{"id":"LIST-99"}');
  assert.throws(() => entry(foreign.id), new RangeError('The register has no requirement LIST-99.'));
});

const specification = await loadSpecification();

test('the specification has the version of the specification', () => {
  assert.equal(specification.version, '1.0.0');
});

test('the digest is the SHA-256 of the parts, one after the other', () => {
  const abc = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  assert.equal(digestOf(['a', Buffer.from('b'), 'c']), abc);
});

test('the digest is stable within an edition', async () => {
  assert.match(specification.digest, /^sha256:[0-9a-f]{64}$/);
  assert.equal((await loadSpecification()).digest, specification.digest);
});

test('every entry of each set is in the register as it was', () => {
  const now = scoredOf(entries);
  for (const { version, requirements } of scoredSets())
    for (const [id, stated] of requirements)
      assert.deepEqual(
        now.get(id),
        stated,
        `${id} in set ${version}: certificates keep their meaning. Leave every entry as it is, and give what is new an id of its own.`,
      );
});

test('a set keeps every entry that certificates score: releases write others behind them', () => {
  const kept = JSON.stringify([...setOf('1.0.0').requirements].slice(0, 94));
  const digest = createHash('sha256').update(kept).digest('hex');
  assert.equal(
    digest,
    '169ab21d53579b3a60e0cbebcd5d90c453d3a1a7fed3740aa2d00f6cdec08243',
    'Restore what was changed in spec/sets.',
  );
});

test('a version scores the newest set that is not newer than itself', () => {
  assert.equal(setOf('0.1.0').version, '1.0.0');
  assert.equal(setOf('1.0.0').version, '1.0.0');
  assert.ok(isNewer('1.10.0', '1.9.0') && !isNewer('1.9.0', '1.9.0') && !isNewer('0.10.0', '1.0.0'));
});

test('a release writes the set of the register: of its version, or the newest set while no release had it', () => {
  const newest = scoredSets().at(-1)?.version ?? '';
  const known = entries.filter(({ id }) => scoredSets().at(-1)?.requirements.has(id));
  assert.equal(setOfRelease('0.2.0', entries).file, `spec/sets/${newest}.json`);
  assert.equal(setOfRelease('99.0.0', known).file, `spec/sets/${newest}.json`, 'where nothing is new');
  const [one = assert.fail('The register is empty.')] = entries;
  const added = { ...one, id: 'MEDIA-99' } as const;
  const { file, text } = setOfRelease('99.0.0', [...entries, added]);
  assert.equal(file, 'spec/sets/99.0.0.json');
  assert.equal(Object.keys(JSON.parse(text)).length, entries.length + 1);
});
