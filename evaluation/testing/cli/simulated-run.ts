import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Seams } from '../../../reference-server/seams.ts';
import { plansOf } from '../../over-http.ts';
import { virtualRun } from '../../simulation/virtual-run.ts';
import { exits } from './command.ts';

/** A simulated run in a new folder, judged with this exit code. */
export async function simulatedRun(code: number, t: TestContext, folder: string, seams: Seams = {}) {
  const { lines } = await virtualRun({ plans: plansOf(2), fault: seams });
  const journal = join(folder, 'journal.ndjson');
  mkdirSync(folder);
  writeFileSync(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return exits(code, t, ['judge', journal]);
}
