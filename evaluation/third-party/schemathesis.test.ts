import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../reference-server/http/server.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { loadPlans } from '../../spec/plans.ts';
import { findTool } from '../../tools/tools.ts';
import { endOf } from '../testing/cli/command.ts';
import { inTemporaryFolder } from '../testing/tools/folder.ts';

const { path: python, skip } = await findTool('schemathesis');

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Runs Schemathesis against a server with these seams. */
const runSchemathesis = (fault: Seams) =>
  inTemporaryFolder(async (folder) => {
    // A key of the plan with the most requests, so that Schemathesis never exceeds the limit.
    const server = await startServer({ plans: loadPlans(), seams: fault });
    try {
      const inputs = ['--config-file', file('./schemathesis.toml'), 'run', file('../../spec/openapi.yaml')];
      const bounds = ['--checks', 'all', '--max-examples', '50', '--seed', '1', '--no-color'];
      // Asynchronous, because the server runs in this process. The key is in the environment, where no process list shows it.
      const args = ['-m', 'schemathesis.cli', ...inputs, '--url', server.baseUrl, ...bounds];
      const env = { ...process.env, PETSTORE_API_KEY: server.keys.business[0], NO_PROXY: '127.0.0.1' };
      return await endOf(spawn(python, args, { cwd: folder, env, timeout: 120_000 }));
    } finally {
      await server.close();
    }
  });

describe('Schemathesis, with all its checks, on spec/openapi.yaml', () => {
  test('finds nothing in the reference server', { skip }, async () => {
    const { code, printed } = await runSchemathesis({});
    assert.equal(code, 0, printed);
    assert.match(printed, /Selected: 4\/4\s+Tested: 4/, 'every operation was tested');
    const cases = Number(/([0-9]+) generated/.exec(printed)?.[1]);
    assert.ok(cases >= 100, `only ${cases} cases were tried:\n${printed}`);
  });

  test('finds a missing header, so a run without findings has a meaning', { skip }, async () => {
    const { code, printed } = await runSchemathesis({
      wrapService: (answer) => (request) => {
        const outcome = answer(request);
        if (outcome.kind === 'dropped') return outcome;
        return { ...outcome, headers: outcome.headers.filter(([name]) => name !== 'X-RateLimit-Reset') };
      },
    });
    assert.equal(code, 1, printed);
    assert.match(printed, /X-RateLimit-Reset/i);
  });
});
