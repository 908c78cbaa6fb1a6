import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ClientJournalLine } from '../../../suites/client/model/journal.ts';
import type { Scenario } from '../../../suites/client/model/scenario.ts';
import { readClientJournal } from '../../../suites/client/run/journal-reader.ts';
import { planStarts } from '../../../suites/client/run/plan.ts';
import type { ClientRunEnd } from '../../../suites/client/run/record-client.ts';
import { recordClient } from '../../../suites/client/run/record-client.ts';
import { temporaryFolder } from '../tools/folder.ts';

/** How a test starts a client. */
interface RecordingChoice {
  readonly firstRequestSeconds?: number;
  readonly seconds?: number;
  readonly jobs?: number;
  readonly needsMoreOfBackoff?: () => boolean;
  readonly observe?: (line: ClientJournalLine) => void;
}

/** A scenario that serves every request; even a busy machine starts a client within the time that it is watched. */
export const brief: Scenario = {
  id: 'brief',
  description: 'Everything is served.',
  decides: ['CLIENT-4'],
  work: { calls: 1, creates: 0, concurrency: 1 },
  operation: 'any',
  script: { kind: 'sequence', replies: [{ kind: 'served' }] },
  repetitions: 1,
  watchSeconds: 20,
  when: 'always',
};

/** A path in a folder that is removed when the test ends. */
export const temporaryPath = (t: TestContext, name: string): string => join(temporaryFolder(t), name);

/** Plays these scenarios to a command and reads the journal. */
export async function recorded(
  t: TestContext,
  words: readonly [string, ...string[]],
  scenarios: readonly Scenario[] = [brief],
  choice: RecordingChoice = {},
) {
  const path = temporaryPath(t, 'journal.ndjson');
  const end = await record(path, words, scenarios, choice);
  const { lines } = readClientJournal(path);
  return { path, end, lines, exits: lines.filter((line) => line.kind === 'exit') };
}

/** Plays these scenarios to a command, into a journal at this path. */
export const record = (
  path: string,
  words: readonly [string, ...string[]],
  scenarios: readonly Scenario[],
  choice: RecordingChoice,
): Promise<ClientRunEnd> =>
  recordClient(
    {
      client: { kind: 'command', words, where: 'this host' },
      spec: { version: '1.0.0', digest: `sha256:${'0'.repeat(64)}` },
      plan: planStarts(scenarios, { only: undefined, thorough: false }),
      jobs: choice.jobs ?? 4,
      seconds: choice.seconds,
      equipment: {
        words,
        host: '127.0.0.1',
        targetAt: (port, prefix) => `http://127.0.0.1:${port}${prefix}/v1`,
        env: process.env,
        firstRequestSeconds: choice.firstRequestSeconds ?? 20,
      },
      needsMoreOfBackoff: choice.needsMoreOfBackoff ?? (() => false),
    },
    { path, observe: choice.observe ?? (() => undefined), signal: new AbortController().signal },
  );

/** The command of a client whose program is a text of JavaScript; `target` and `key` are at hand in it. */
export const nodeClient = (program: string): readonly [string, ...string[]] => [
  process.execPath,
  '--input-type=module',
  '--eval',
  `const target = process.env.PETSTORE_TARGET, key = process.env.PETSTORE_API_KEY;
const list = () => fetch(target + '/categories', { headers: { Authorization: 'Bearer ' + key } });
${program}`,
];

/** The command lines of all processes but this one; empty where the system does not show them. */
export function commandLines(): readonly string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
}

/** Those of the living processes that contain this text. */
export const processesWith = (text: string): readonly string[] =>
  commandLines().filter((line) => line.includes(text));
