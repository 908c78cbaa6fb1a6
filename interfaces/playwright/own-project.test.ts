import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plansOf } from '../../evaluation/over-http.ts';
import { plansFile } from '../../evaluation/testing/cli/command.ts';
import { runFace } from '../../evaluation/testing/cli/run-face.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { startServer } from '../../reference-server/http/server.ts';
import { register } from '../../spec/register.ts';

test('npm run suite is green against a conforming server, with a test for every requirement', async (t) => {
  const minuteSeconds = 4;
  const server = await startServer({ plans: plansOf(minuteSeconds) });
  t.after(() => server.close());
  const variables = {
    PETSTORE_TARGET: server.baseUrl,
    PETSTORE_PLANS: plansFile(temporaryFolder(t), minuteSeconds),
    PETSTORE_API_KEY: server.keys.free[0] ?? '',
    PETSTORE_OTHER_KEY: server.keys.free[1] ?? '',
  };
  await runFace(variables, ({ exitCode, output, tests }) => {
    assert.equal(exitCode, 0, output);
    assert.deepEqual(
      tests.map(({ id }) => id),
      register.filter(({ judged }) => judged === 'by certify').map(({ id }) => id),
    );
  });
});
