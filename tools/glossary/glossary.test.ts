import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { rowsOf } from '../../evaluation/testing/documents.ts';
import { filesEndingIn } from '../project-files.ts';
import type { Readable, Term } from './glossary.ts';
import { glossary, readableLines, readableOf, wordsOf } from './glossary.ts';

/** Texts of others, and the glossary itself. */
const EXEMPT = [
  /\.(test|spec)\.ts$/,
  /^tools\/glossary\//,
  /^spec\/interface-specification\.md$/,
  /^(reports\/example|out|test-results)\//,
  /^LICENSE/,
];

const files = ['.ts', '.md', '.schema.json']
  .flatMap((ending) => filesEndingIn(process.cwd(), ending))
  .filter((file) => !EXEMPT.some((pattern) => pattern.test(file)));

/** The table of the vocabulary: what to say, what not, and what it means. */
const VOCABULARY = /^\| Say \| Not \| Meaning \|\n(?:\|.*\n)+/m;
const terms = rowsOf(VOCABULARY.exec(readFileSync('CONTRIBUTING.md', 'utf8'))?.[0] ?? '');

const readables = new Map<string, Readable>();
for (const file of files) {
  const source = readFileSync(file, 'utf8');
  readables.set(
    file,
    file.endsWith('.ts') ? readableOf(file, source) : readableLines(source.replace(VOCABULARY, '')),
  );
}

function uses({ inText, inNames }: Term): readonly string[] {
  return [...readables].flatMap(([file, { texts, names }]) => [
    ...texts.filter(({ text }) => inText?.test(text)).map(({ line }) => `${file}:${line}`),
    ...names
      .filter(({ text }) => wordsOf(text).some((word) => inNames?.test(word)))
      .map(({ text, line }) => `${file}:${line} ${text}`),
  ]);
}

describe('the words of this project', () => {
  test('there is something to read', () => assert.ok(readables.size > 300, `${readables.size} files`));

  test('the vocabulary and what is sought have the same terms', () =>
    assert.deepEqual(
      terms.map(([, not]) => not),
      Object.keys(glossary),
    ));

  for (const [say, not = ''] of terms)
    test(`"${say}", not "${not}"`, () => assert.deepEqual(uses(glossary[not] ?? {}), []));
});

describe('what the scan finds', () => {
  const { texts, names } = readableOf(
    'a.ts',
    `/** a stranger */\nexport interface Law { readonly lane: 'fence'; says(): void }\nexport const blame = \`the \${1} weather\`;\nconst local = 1; // mend`,
  );
  const found = (text: string): boolean => texts.some((one) => one.text.includes(text));

  test('comments, strings and templates', () => {
    for (const text of ['a stranger', 'fence', ' weather', ' mend']) assert.ok(found(text), text);
  });
  test('exported names and members, not local names', () =>
    assert.deepEqual(names.map(({ text }) => text).sort(), ['Law', 'blame', 'lane', 'says']));
  test('the words of names', () =>
    assert.deepEqual(wordsOf('isRateLimited MAX_BYTES'), ['is', 'rate', 'limited', 'max', 'bytes']));
});
