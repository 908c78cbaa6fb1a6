import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../evaluation/testing/cli/command.ts';
import { writeAttestation } from './files.ts';
import { pageProblems } from './page-problems.ts';

test('an attestation is written into the folder, and never where a link in it leads', (t) => {
  const folder = temporaryFolder(t);
  const other = join(temporaryFolder(t), 'other');
  writeFileSync(other, 'of somebody else');
  for (const name of ['attestation.json', 'attestation.json.draft']) symlinkSync(other, join(folder, name));
  const path = writeAttestation(folder, 'signed');
  assert.equal(readFileSync(path, 'utf8'), 'signed');
  assert.ok(!lstatSync(path).isSymbolicLink());
  assert.equal(readFileSync(other, 'utf8'), 'of somebody else');
});

test('a pipe in place of a page ends with a sentence', { skip: process.platform === 'win32' }, (t) => {
  const folder = temporaryFolder(t);
  execFileSync('mkfifo', [join(folder, 'report.html')]);
  const files = { page: 'report.html', report: 'report.json' };
  assert.throws(() => pageProblems(folder, files, () => ''), /report\.html cannot be read: it is not a file/);
});
