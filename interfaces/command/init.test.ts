import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { exits, run } from '../../evaluation/testing/cli/command.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { pipelineFor } from './init.ts';

const TARGET = 'https://staging.example.com/v1';

describe('init', { concurrency: 2 }, () => {
  for (const server of ['github', 'gitlab', 'jenkins'] as const) {
    test(`writes a configuration that certify reads, and a pipeline of ${server}`, async (t) => {
      const cwd = temporaryFolder(t);
      await exits(0, t, ['init', '--target', TARGET, '--plan', 'pro', '--ci', server], { cwd });
      assert.ok(existsSync(join(cwd, pipelineFor(server, 'PETSTORE_API_KEY').path)));
      const env = { PETSTORE_API_KEY: 'pk-1234567890' };
      const { out } = await exits(0, t, ['certify', '--dry-run'], { cwd, env });
      assert.match(out, /https:\/\/staging\.example\.com\/v1/);
    });
  }

  test('replaces no file, and then writes nothing at all', async (t) => {
    const cwd = temporaryFolder(t);
    writeFileSync(join(cwd, 'petstore-conformance.json'), 'mine');
    const { err } = await exits(2, t, ['init', '--target', TARGET], { cwd });
    assert.match(err, /Nothing was written, because petstore-conformance\.json exists/);
    assert.equal(readFileSync(join(cwd, 'petstore-conformance.json'), 'utf8'), 'mine');
    assert.ok(!existsSync(join(cwd, '.github')));
  });

  test('adds a pipeline to the configuration that exists, with the key that it names', async (t) => {
    const cwd = temporaryFolder(t);
    await run(t, ['init', '--target', TARGET, '--api-key-env', 'PETSTORE_STAGING_KEY'], { cwd });
    const before = readFileSync(join(cwd, 'petstore-conformance.json'), 'utf8');
    const { out } = await exits(0, t, ['init', '--ci', 'gitlab'], { cwd });
    assert.match(out, /^Written: petstore\.gitlab-ci\.yml\nStore the key .* PETSTORE_STAGING_KEY/);
    assert.equal(readFileSync(join(cwd, 'petstore-conformance.json'), 'utf8'), before);
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
