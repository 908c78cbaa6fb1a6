import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRecord } from '../suites/model/record.ts';
import { renderHtml } from './html/page.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderSummary } from './summary.ts';

/** The reports could not be written. The message is one sentence for a person. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

const RENDERERS: Readonly<Record<string, (record: RunRecord) => string>> = {
  'report.json': renderJson,
  'report.html': renderHtml,
  'junit.xml': renderJunit,
  'summary.md': renderSummary,
};

/**
 * Writes `report.json`, `report.html`, `junit.xml` and `summary.md` into a folder, which is made where it is
 * missing. Each file appears whole or not at all.
 * @returns the paths that were written.
 * @throws {ReportError} when the folder cannot be written to.
 */
export async function writeReports(record: RunRecord, folder: string): Promise<readonly string[]> {
  const files = Object.entries(RENDERERS).map(([name, render]) => ({ name, text: render(record) }));
  const paths: string[] = [];
  try {
    await mkdir(folder, { recursive: true });
    for (const { name, text } of files) paths.push(await writeWhole(folder, name, text));
  } catch (error) {
    throw new ReportError(`The reports could not be written to ${folder}: ${causeOf(error)}.`, {
      cause: error,
    });
  }
  return paths;
}

/** A reader of the folder, and a crash, meet the old file or the new one, never a part. */
async function writeWhole(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  const draft = join(folder, `.${name}.${randomUUID()}`);
  try {
    await writeFile(draft, text, { flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return path;
}

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there; choose another folder or change its permissions',
  EPERM: 'this user may not write there; choose another folder or change its permissions',
  EROFS: 'the file system is read-only; choose another folder',
  ENOSPC: 'the disk is full; make room or choose another folder',
  EDQUOT: 'this user may not store any more there; make room or choose another folder',
  EFBIG: 'files may not become that large there (ulimit -f); choose another folder',
  EEXIST: 'a file has that name; choose another folder or move the file',
  ENOTDIR: 'a part of the path is a file; choose another folder',
  EISDIR: 'a folder has the name of a report; choose another folder or move it',
};

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return CAUSES[code] ?? error.message;
}
