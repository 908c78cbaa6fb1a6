import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REPORTS } from '../../reports/run-folder.ts';
import { sampleName, sampleOf } from '../../tools/sample.ts';
import { plansFile, run } from '../testing/cli/command.ts';
import { rowsOf } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import type { Attack, Attacks } from './attack.ts';
import { connectionAttacks } from './attacks/connections.ts';
import { endlessAttacks } from './attacks/endless.ts';
import { openapiAttacks } from './attacks/openapi.ts';
import { bodyAttacks } from './attacks/text.ts';

// Runs the real command as a separate process against the attacks of the day (npm run evaluate -- hostile: against all).

const attacks: Attacks = {
  ...endlessAttacks,
  ...bodyAttacks,
  ...connectionAttacks,
  ...openapiAttacks,
};

/** The key of every measured run. No file and no output may contain it. */
const ATTACKED_KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3=';

const COST = fileURLToPath(new URL('preload/cost.js', import.meta.url));

/** Runs `certify` against the target of an attack, as a separate process. */
async function certifyAttacker(t: TestContext, attack: Attack) {
  const cwd = temporaryFolder(t);
  const { target, args: furtherArgs = [], env = {}, lastLine, assertAfter } = await attack(t);
  const cost = join(cwd, 'cost');
  const args = ['certify', '--target', target, '--plans', plansFile(cwd, 1), '--out', 'run', ...furtherArgs];
  const { code, out, err } = await run(t, args, {
    cwd,
    env: {
      PETSTORE_API_KEY: ATTACKED_KEY,
      COST_FILE: cost,
      ...env,
      NODE_OPTIONS: [`--import=${COST}`, env['NODE_OPTIONS'] ?? ''].join(' '),
    },
  });
  const measured = {
    code,
    lastLine,
    out,
    err,
    files: filesIn(join(cwd, 'run')),
    // Of memory in MB and CPU time in seconds; undefined if the command was killed.
    cost: existsSync(cost) ? JSON.parse(readFileSync(cost, 'utf8')) : undefined,
  };
  assertAfter?.(measured);
  return measured;
}

function filesIn(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** The forms of the key that must not occur anywhere. */
const KEY_FORMS = [
  ATTACKED_KEY,
  ATTACKED_KEY.slice(0, -1),
  encodeURIComponent(ATTACKED_KEY),
  percent(ATTACKED_KEY),
  Buffer.from(ATTACKED_KEY).toString('base64'),
];

/** A row of HOSTILE.md: the id of an attack, what it does, its exit codes, and the bounds of memory in MB and of CPU time in seconds. */
const rows = rowsOf(readFileSync('evaluation/HOSTILE.md', 'utf8')).flatMap((cells) => {
  const [name = '', description, , exitCodes = '', cost = ''] = cells;
  const [megabytes = 0, cpuSeconds = 0] = cost.match(/\d+/g)?.map(Number) ?? [];
  const [, id = ''] = /^`(.+)`/.exec(name) ?? [];
  const row = { id, description, isSlow: name.endsWith('(*slow*)'), megabytes, cpuSeconds };
  return cells.length === 5 ? [{ ...row, exitCodes: exitCodes.split(' or ').map(Number) }] : [];
});

test('HOSTILE.md has a row for each attack', () => {
  assert.deepEqual(
    rows.map(({ id }) => id),
    Object.keys(attacks),
  );
});

/** What holds after every attack: the cost is bounded, there is no stack trace, and the key is nowhere. */
function assertBounded(
  run: Awaited<ReturnType<typeof certifyAttacker>>,
  bounds: (typeof rows)[number],
): void {
  const { out, err, files, cost } = run;
  assert.ok(cost !== undefined, `the command was killed: ${err}`);
  assert.ok(cost.megabytes <= bounds.megabytes, `${cost.megabytes} MB of ${bounds.megabytes}`);
  assert.ok(cost.cpuSeconds <= bounds.cpuSeconds, `${cost.cpuSeconds} s of ${bounds.cpuSeconds}`);
  assert.doesNotMatch(err, /\n {4}at |Unexpected:/, 'no stack trace and no unexpected error');
  const places = [['standard output', out], ['standard error', err], ...files] as const;
  for (const [place, text] of places) {
    for (const form of KEY_FORMS) assert.ok(!text.includes(form), `the key is in ${place}`);
  }
}

/** A slow one may take a minute of computing and two gigabytes. */
const ofDay = sampleName === 'all' ? rows : sampleOf(rows.filter(({ isSlow }) => !isSlow));

describe('a hostile target', { concurrency: 3 }, () => {
  for (const row of ofDay) {
    test(`${row.id}: ${row.description}`, async (t) => {
      const attack = attacks[row.id];
      assert.ok(attack !== undefined);
      const run = await certifyAttacker(t, attack);
      assertBounded(run, row);
      assert.ok(
        row.exitCodes.some((code) => code === run.code),
        `exit ${run.code}: ${run.err}`,
      );
      const last = run.err.trimEnd().split('\n').at(-1) ?? '';
      if (run.code === 2) assert.match(last, /^petstore-conformance: [A-Z].*\.$/);
      if (run.lastLine !== undefined) assert.match(last, run.lastLine);
      if (run.code !== 2) assert.equal(run.files.size, REPORTS.length + 1, [...run.files.keys()].join(', '));
    });
  }
});
