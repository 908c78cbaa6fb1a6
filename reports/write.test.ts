import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { conforming, violating } from '../evaluation/testing/reports/records.ts';
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import { ReportError } from './files.ts';
import { reportTexts, writeReports } from './write.ts';
import { markdown, markup } from './written.ts';

/** People and pipelines rely on these names. */
const NAMES = 'report.json report.html junit.xml summary.md ctrf.json badge.svg badge.json'.split(' ');

test('the files are written into a folder that is made for them, over those of the last run, and nothing else', async (t) => {
  const folder = join(temporaryFolder(t), 'deep', 'out');
  await writeReports(conforming(), folder);
  const record = violating();
  const paths = await writeReports(record, folder);
  assert.deepEqual(
    paths,
    NAMES.map((name) => join(folder, name)),
  );
  assert.deepEqual((await readdir(folder)).sort(), NAMES.toSorted());
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  assert.deepEqual(texts, Object.values(reportTexts(record)));
});

test('a folder that cannot be written to is one sentence, and leaves no drafts behind', async (t) => {
  const cwd = temporaryFolder(t);
  const file = join(cwd, 'file');
  await writeFile(file, '');
  const taken = join(cwd, 'taken');
  await mkdir(join(taken, 'report.html'), { recursive: true });
  const failing = async (folder: string): Promise<string> => {
    const error: unknown = await writeReports(conforming(), folder).catch((reason: unknown) => reason);
    assert.ok(error instanceof ReportError);
    return error.message;
  };
  assert.equal(
    await failing(file),
    `The reports could not be written to ${file}: a file has that name; resolve this, or choose another folder.`,
  );
  assert.equal(
    await failing(join(file, 'out')),
    `The reports could not be written to ${join(file, 'out')}: a part of the path is a file, not a folder; resolve this, or choose another folder.`,
  );
  assert.match(await failing(taken), /written to .*report\.html: it is a folder; resolve this/);
  assert.deepEqual((await readdir(taken)).sort(), ['report.html', 'report.json']);
});

test('a string is escaped, what is already written is not, and lists are joined', () => {
  const bold = markup`<b>${'<i>'}</b>`;
  assert.equal(
    markup`<p title="${`"'`}">${[bold, ' & ', 7]}</p>`.toString(),
    '<p title="&quot;&#39;"><b>&lt;i&gt;</b> &amp; 7</p>',
  );
});

test('characters that XML cannot hold are written out', () => {
  assert.equal(markup`${'\u0000\u001b\ud800\uffff'}`.toString(), '⟨U+0000⟩⟨U+001B⟩⟨U+D800⟩⟨U+FFFF⟩');
});

test('Markdown constructs become character references, and plain prose stays readable', () => {
  assert.equal(
    markdown`- ${'A body (name, 201) costs 3 - 1.5; see HTTP/1.1: fine!'}`.toString(),
    '- A body (name, 201) costs 3 - 1.5; see HTTP/1.1: fine!',
  );
  assert.equal(markdown`${'a|b\n<c>'}`.toString(), 'a&#124;b⟨U+000A⟩&#60;c&#62;');
  assert.equal(markdown`${'@you #1'}`.toString(), '@<!-- -->you #<!-- -->1');
  assert.equal(markdown`${'# not a heading'}`.toString(), '&#35; not a heading');
  assert.equal(markdown`${'1. 2.5'} ${'2.5'}`.toString(), '&#49;. 2.5 2.5');
  assert.equal(markdown`**${markdown`<code>${'`'}</code>`}**`.toString(), '**<code>&#96;</code>**');
});
