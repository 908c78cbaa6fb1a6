import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadRegister, register } from './register.ts';
import { isNewer, scoredSets, setOf } from './sets.ts';

/** The SHA-256 of each set, which no later version changes. */
const FROZEN: Readonly<Record<string, string>> = {
  '1.0.0': '155fab4e6f34196745be76eb5af932189fa482eaf1243b3980ca7c6ed1a0523b',
};

const digestOf = (text: string, encoding: 'base64url' | 'hex'): string =>
  createHash('sha256').update(text).digest(encoding);
const folder = new URL('./sets/', import.meta.url);
const now = new Map<string, { level: string; sentence: string }>(
  [...register, ...loadRegister].map(({ id, level, sentence }) => [
    id,
    { level, sentence: digestOf(sentence, 'base64url') },
  ]),
);

test('the newest set is the register, so a change of the register needs a new set', () => {
  const newest = scoredSets().at(-1);
  assert.deepEqual(
    [...(newest?.requirements ?? [])],
    [...now],
    'The register changed. Certificates keep their meaning: leave every entry as it is, give what is new an id of its own, ' +
      'and add a set for the next version of the suite in spec/sets.',
  );
});

test('every requirement means what it meant in each set', () => {
  for (const { version, requirements } of scoredSets())
    for (const [id, stated] of requirements) assert.deepEqual(now.get(id), stated, `${id} in set ${version}`);
});

test('no set changes, and each file is a set', () => {
  const digests = readdirSync(folder).map((file) => [
    file.replace(/\.json$/, ''),
    digestOf(readFileSync(new URL(file, folder), 'utf8'), 'hex'),
  ]);
  assert.deepEqual(Object.fromEntries(digests), FROZEN, 'A released set is never changed: add another one.');
  const versions = scoredSets().map(({ version }) => version);
  assert.deepEqual(versions, Object.keys(FROZEN));
  assert.ok(versions.every((version, at) => at === 0 || isNewer(version, versions[at - 1] ?? '')));
});

test('a version scores the newest set that is not newer than itself', () => {
  assert.equal(setOf('0.1.0').version, '1.0.0');
  assert.equal(setOf('1.0.0').version, '1.0.0');
  assert.ok(isNewer('1.10.0', '1.9.0') && !isNewer('1.9.0', '1.9.0') && !isNewer('0.10.0', '1.0.0'));
});
