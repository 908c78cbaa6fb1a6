import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { commandIn } from '../../evaluation/testing/cli/command.ts';
import { pipelineFor } from './init.ts';

const INIT = 'init --target https://staging.example.com/v1';

describe('init', { concurrency: 2 }, () => {
  for (const server of ['github', 'gitlab', 'jenkins'] as const) {
    test(`writes a configuration that certify reads, and a pipeline of ${server}`, async (t) => {
      const here = commandIn(t, { PETSTORE_API_KEY: 'pk-1234567890' });
      await here.exits(0, `${INIT} --plan pro --ci ${server}`);
      assert.ok(existsSync(here.path(pipelineFor(server, 'PETSTORE_API_KEY').path)));
      const { out } = await here.exits(0, 'certify --dry-run');
      assert.match(out, /https:\/\/staging\.example\.com\/v1/);
    });
  }

  test('replaces no file, and then writes nothing at all', async (t) => {
    const here = commandIn(t);
    here.write('petstore-conformance.json', 'mine');
    const { err } = await here.exits(2, INIT);
    assert.match(err, /Nothing was written, because petstore-conformance\.json exists/);
    assert.equal(here.read('petstore-conformance.json'), 'mine');
    assert.deepEqual(here.names(), ['petstore-conformance.json']);
  });

  test('adds a pipeline to the configuration that exists, with the key that it names', async (t) => {
    const here = commandIn(t);
    await here.run(`${INIT} --api-key-env PETSTORE_STAGING_KEY`);
    const before = here.read('petstore-conformance.json');
    const { out } = await here.exits(0, 'init --ci gitlab');
    assert.match(out, /^Written: petstore\.gitlab-ci\.yml\nStore the key .* PETSTORE_STAGING_KEY/);
    assert.equal(here.read('petstore-conformance.json'), before);
  });
});

// What they say is in docs/pipeline.md.
test('the pipelines run the command, and give the key to no other step and to no action that can change', () => {
  const { jobs } = parse(pipelineFor('github', 'KEY_OF_CI').text);
  const { steps } = jobs.certify;
  const withKey = steps.filter(({ env = {} }: { env?: object }) => JSON.stringify(env).includes('secrets.'));
  const [certify, ...others] = withKey;
  assert.deepEqual([certify.name, others], ['Certify', []]);
  assert.match(certify.env.KEY_OF_CI, /^\$\{\{ secrets\.KEY_OF_CI \}\}$/);
  for (const { uses = `local@${'a'.repeat(40)}` } of steps) assert.match(uses, /@[0-9a-f]{40}$/);
  const command = 'npx --offline petstore-conformance certify --out conformance';
  assert.ok(certify.run.startsWith(command), certify.run);
  const gitlab = parse(pipelineFor('gitlab', 'KEY_OF_CI').text)['petstore-conformance'];
  assert.deepEqual(gitlab.script, ['npm ci', `${command} $SCOPE`]);
  assert.ok(pipelineFor('jenkins', 'KEY_OF_CI').text.includes(`sh '${command} --quick'`));
});
