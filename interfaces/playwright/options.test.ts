import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { wantingHeader } from '../../evaluation/gateways.ts';
import { plansFile as writePlansFile } from '../../evaluation/testing/cli/command.ts';
import { runProjects, verdictOf } from '../../evaluation/testing/cli/run-face.ts';
import { forwardingTo, selfSigned, serveTls } from '../../evaluation/testing/cli/target.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { startServer } from '../../reference-server/http/server.ts';
import { loadPlans } from '../../spec/plans.ts';
import { readJournal } from '../../suites/service/wire/journal.ts';

const folder = temporaryFolder({ after });
const plansFile = writePlansFile(folder, 2);

describe('the Playwright face has the options of the command', () => {
  test('a certificate authority, headers for a gateway, a key file, an OpenAPI document and the key of a further plan', async (t) => {
    const seams = wantingHeader('X-Gateway', 'gateway-secret-5512');
    const server = await startServer({ plans: loadPlans(plansFile), seams });
    try {
      const ca = join(folder, 'ca.pem');
      const key = join(folder, 'key');
      await writeFile(ca, selfSigned.cert);
      await writeFile(key, `${server.keys.free[0]}\n`);
      const variables = {
        PETSTORE_TARGET: `${await serveTls(t, forwardingTo(server.baseUrl))}/v1`,
        PETSTORE_PLANS: plansFile,
        PETSTORE_CA_FILE: ca,
        PETSTORE_API_KEY_FILE: key,
        PETSTORE_HEADERS: 'X-Tenant: staging\nX-Gateway: gateway-secret-5512',
        PETSTORE_OPENAPI: fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url)),
        PETSTORE_PLAN_KEYS: 'pro=PRO_KEY',
        PRO_KEY: server.keys.pro[0] ?? '',
      };
      const project = { petstore: {}, grep: /(?:RATE-5|VER-2) / };
      await runProjects({ project }, variables, (run) => {
        assert.equal(run.exitCode, 0, run.output);
        assert.deepEqual(run.tests.map(verdictOf), ['pass', 'pass']);
        const { lines } = readJournal(run.journal);
        assert(lines.some((line) => line.kind === 'exchange' && line.caller === 'plan:pro'));
        assert(lines.some((line) => line.kind === 'document'));
        assert(!readFileSync(run.journal, 'utf8').includes('gateway-secret'));
      });
    } finally {
      await server.close();
    }
  });

  test('Ctrl-C keeps a journal that says so', async () => {
    const server = await startServer({ plans: loadPlans(plansFile) });
    try {
      await runProjects(
        { project: { petstore: {} } },
        {
          PETSTORE_TARGET: server.baseUrl,
          PETSTORE_PLANS: plansFile,
          PETSTORE_API_KEY: server.keys.free[0] ?? '',
        },
        ({ journal, exitCode, output }) => {
          assert.notEqual(exitCode, 0);
          assert.match(output, /Interrupted: a run cannot be resumed\./);
          const last = readJournal(journal).lines.at(-1);
          assert.equal(last?.kind === 'end' ? last.how : last?.kind, 'interrupted');
        },
        'Testing http',
      );
    } finally {
      await server.close();
    }
  });
});
