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

test('the pipelines of GitHub and GitLab are YAML that runs the command and keeps its results', () => {
  const github = parse(pipelineFor('github', 'KEY_OF_CI').text);
  const steps = github.jobs.certify.steps;
  const certify = steps.find(({ name }: { name?: string }) => name === 'Certify');
  assert.match(certify.env.KEY_OF_CI, /^\$\{\{ secrets\.KEY_OF_CI \}\}$/);
  assert.match(
    certify.run,
    /^npx --offline petstore-conformance certify --out conformance \$\{\{.* '--quick' \|\| '' \}\}$/,
  );
  assert.deepEqual(Object.keys(github.on), ['push', 'pull_request', 'schedule', 'workflow_dispatch']);
  for (const { uses = `local@${'a'.repeat(40)}` } of steps) assert.match(uses, /@[0-9a-f]{40}$/);
  const withKey = steps.filter(({ env }: { env?: object }) => JSON.stringify(env ?? {}).includes('secrets.'));
  assert.deepEqual(withKey, [certify]);
  const comment = steps.find(({ uses = '' }: { uses?: string }) => uses.startsWith('ctrf-io/'));
  assert.deepEqual(
    [comment.with['report-path'], comment.with['overwrite-comment']],
    ['conformance/ctrf.json', true],
  );
  assert.equal(steps.at(-1).if, 'always()');
  const gitlab = parse(pipelineFor('gitlab', 'KEY_OF_CI').text)['petstore-conformance'];
  const command = 'npx --offline petstore-conformance certify --out conformance';
  assert.deepEqual(gitlab.script, ['npm ci', `${command} $SCOPE`]);
  assert.equal(gitlab.variables.SCOPE, '--quick');
  assert.deepEqual(gitlab.rules[0].variables, { SCOPE: '' });
  assert.equal(gitlab.artifacts.reports.junit, 'conformance/junit.xml');
  const jenkins = pipelineFor('jenkins', 'KEY_OF_CI').text;
  for (const line of [`sh '${command} --quick'`, `sh '${command}'`]) assert.ok(jenkins.includes(line), line);
});
