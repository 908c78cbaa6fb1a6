import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../reference-server/http/server.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { loadPlans } from '../../spec/plans.ts';
import { findPythonTool } from '../../tools/python-environment.ts';
import { endOf } from '../testing/cli/command.ts';

const found = await findPythonTool('schemathesis');
const skip = found.kind === 'missing' && `Schemathesis is not installed here. ${found.advice}`;

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Runs Schemathesis against a server with these seams; resolves to its exit code and its output. */
async function runSchemathesis(
  fault: Seams,
): Promise<{ readonly status: number | null; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-schemathesis-'));
  // A key of the plan with the most requests, so that Schemathesis never exceeds the limit.
  const server = await startServer({ plans: loadPlans(), seams: fault });
  try {
    const inputs = ['--config-file', file('./schemathesis.toml'), 'run', file('../../spec/openapi.yaml')];
    const bounds = ['--checks', 'all', '--max-examples', '50', '--seed', '1', '--no-color'];
    // Asynchronous, because the server runs in this process. The key is in the environment, where no process list shows it.
    if (found.kind === 'missing') throw new Error(found.advice);
    const child = spawn(
      found.path,
      ['-m', 'schemathesis.cli', ...inputs, '--url', server.baseUrl, ...bounds],
      {
        cwd: folder,
        env: { ...process.env, PETSTORE_API_KEY: server.keys.business[0], NO_PROXY: '127.0.0.1' },
        timeout: 120_000,
      },
    );
    const { code, printed } = await endOf(child);
    return { status: code, output: printed };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('Schemathesis, with all its checks, on spec/openapi.yaml', () => {
  test('finds nothing in the reference server', { skip }, async () => {
    const { status, output } = await runSchemathesis({});
    assert.equal(status, 0, output);
    assert.match(output, /Selected: 4\/4\s+Tested: 4/, 'every operation was tested');
    const cases = Number(/([0-9]+) generated/.exec(output)?.[1]);
    assert.ok(cases >= 100, `only ${cases} cases were tried:\n${output}`);
  });

  test('finds a missing header, so a run without findings has a meaning', { skip }, async () => {
    const { status, output } = await runSchemathesis({
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
