import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Seams } from '../../reference-server/index.ts';
import { startServer } from '../../reference-server/index.ts';
import { loadPlans } from '../../spec/plans.ts';
import { findSchemathesis } from '../../tools/schemathesis.ts';

const found = await findSchemathesis();
const skip = found.kind === 'missing' && `Schemathesis is not installed here. ${found.advice}`;

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What Schemathesis said of a server, and how it ended. */
async function recordRun(fault: Seams): Promise<{ readonly status: number | null; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-schemathesis-'));
  // The plan with the most requests, so that the limit stays out of the way.
  const server = await startServer({ plans: loadPlans(), seams: fault });
  try {
    const given = ['--config-file', file('./schemathesis.toml'), 'run', file('../../spec/openapi.yaml')];
    const bounds = ['--checks', 'all', '--max-examples', '50', '--seed', '1', '--no-color'];
    // Asynchronous, since the server answers in this very process; the key goes where no process list shows it.
    if (found.kind === 'missing') throw new Error(found.advice);
    const child = spawn(found.command, [...found.args, ...given, '--url', server.baseUrl, ...bounds], {
      cwd: folder,
      env: { ...process.env, PETSTORE_API_KEY: server.keys.business[0], NO_PROXY: '127.0.0.1' },
      timeout: 120_000,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    return { status, output };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('Schemathesis, with all its checks, on spec/openapi.yaml', () => {
  test('finds nothing in the reference server', { skip }, async () => {
    const { status, output } = await recordRun({});
    assert.equal(status, 0, output);
    assert.match(output, /Selected: 4\/4\s+Tested: 4/, 'every operation was asked');
    const cases = Number(/([0-9]+) generated/.exec(output)?.[1]);
    assert.ok(cases >= 100, `only ${cases} cases were tried:\n${output}`);
  });

  test('finds a missing header, so its silence means something', { skip }, async () => {
    const { status, output } = await recordRun({
      wrapService: (answer) => (request) => {
        const outcome = answer(request);
        if (outcome.kind === 'dropped') return outcome;
        return { ...outcome, headers: outcome.headers.filter(([name]) => name !== 'X-RateLimit-Reset') };
      },
    });
    assert.equal(status, 1, output);
    assert.match(output, /X-RateLimit-Reset/i);
  });
});
