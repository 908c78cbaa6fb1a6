import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setOfRelease } from '../tools/release/scored-set.ts';
import { loadRegister, register } from './register.ts';
import { isNewer, scoredSets, setOf } from './sets.ts';

const entries = [...register, ...loadRegister];

test('every entry of each set is in the register as it was', () => {
  const now: Readonly<Record<string, unknown>> = JSON.parse(setOfRelease('1.0.0', entries).text);
  for (const { version, requirements } of scoredSets())
    for (const [id, stated] of requirements)
      assert.deepEqual(
        now[id],
        stated,
        `${id} in set ${version}: certificates keep their meaning. Leave every entry as it is, and give what is new an id of its own.`,
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
