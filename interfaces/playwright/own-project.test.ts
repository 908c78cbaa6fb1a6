import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plansOf } from '../../evaluation/over-http.ts';
import { plansFile } from '../../evaluation/testing/cli/command.ts';
import { runFace, verdictOf } from '../../evaluation/testing/cli/run-face.ts';
import { onBusyMachine, tooBusyIn } from '../../evaluation/testing/tools/busy-machine.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { startServer } from '../../reference-server/http/server.ts';
import { register } from '../../spec/register.ts';

const unlessBusy = onBusyMachine();

test('npm run suite is green against a conforming server, with a test for every requirement', (t) =>
  unlessBusy(t, async (again) => {
    const minuteSeconds = again ? 20 : 4;
    const server = await startServer({ plans: plansOf(minuteSeconds) });
    t.after(() => server.close());
    const variables = {
      PETSTORE_TARGET: server.baseUrl,
      PETSTORE_PLANS: plansFile(temporaryFolder(t), minuteSeconds),
      PETSTORE_API_KEY: server.keys.free[0] ?? '',
      PETSTORE_OTHER_KEY: server.keys.free[1] ?? '',
    };
    return runFace(variables, ({ exitCode, output, tests }) => {
      assert.deepEqual(
        tests.filter((one) => verdictOf(one) === 'fail'),
        [],
      );
      const tooSlow = tooBusyIn(output);
      if (tooSlow !== undefined) return tooSlow;
      assert.equal(exitCode, 0, output);
      assert.deepEqual(
        tests.map(({ id }) => id),
        register.filter(({ judged }) => judged === 'by certify').map(({ id }) => id),
      );
      return undefined;
    });
  }));
