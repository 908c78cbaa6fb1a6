import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { conforming, violating } from '../evaluation/testing/reports/records.ts';
import { ReportError } from './files.ts';
import { reportTexts, writeReports } from './write.ts';

let room = '';

before(async () => {
  room = await mkdtemp(join(tmpdir(), 'reports-'));
});
after(() => rm(room, { recursive: true }));

test('the files are written into a folder that is made for them, over those of the last run, and nothing else', async () => {
  const folder = join(room, 'deep', 'out');
  await writeReports(conforming(), folder);
  const record = violating();
  const paths = await writeReports(record, folder);
  const names = [
    'report.json',
    'report.html',
    'junit.xml',
    'summary.md',
    'ctrf.json',
    'badge.svg',
    'badge.json',
  ];
  assert.deepEqual(
    paths,
    names.map((name) => join(folder, name)),
  );
  assert.deepEqual((await readdir(folder)).sort(), [...names].sort());
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  assert.deepEqual(texts, Object.values(reportTexts(record)));
});

test('a folder that cannot be written to is one sentence, and leaves no drafts behind', async () => {
  const file = join(room, 'file');
  await writeFile(file, '');
  const taken = join(room, 'taken');
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
