import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../evaluation/testing/cli/command.ts';
import { profiles } from '../../load/profiles/index.ts';
import { loadRegister } from '../../spec/register.ts';
import { expectationPage } from '../handbook/load.ts';

test('explain prints the page of a requirement and of an expectation of load, in any case', async (t) => {
  const requirement = await run(t, ['explain', 'retry-1']);
  assert.equal(requirement.code, 0);
  assert.match(requirement.out, /^RETRY-1: .*\n\nLevel\n {2}MUST/);
  const expectation = await run(t, ['explain', 'no-429', '--markdown']);
  assert.equal(expectation.code, 0);
  assert.match(expectation.out, /^# NO-429\n\n\*\*A client that stays below the limit/);
});

test('explain prints the page of a threshold, which no requirement names', async (t) => {
  for (const [id, option] of [
    ['LATENCY', '--latency-ms'],
    ['THRESHOLD-12', '--thresholds'],
  ] as const) {
    const { code, out } = await run(t, ['explain', id]);
    assert.equal(code, 0);
    assert.ok(out.startsWith(`${id}: `) && out.includes(option), out);
  }
  assert.equal((await run(t, ['explain', 'THRESHOLD-0'])).code, 2);
});

test('explain suggests the nearest id, of a requirement or of an expectation', async (t) => {
  for (const [given, likely] of [
    ['RETYR-1', 'RETRY-1'],
    ['NEIGHBOR', 'NEIGHBOUR'],
  ] as const) {
    const { code, err } = await run(t, ['explain', given]);
    assert.equal(code, 2);
    assert.ok(err.endsWith(`Did you mean "${likely}"?\n`), err);
  }
});

test('the page of an expectation names every profile that judges it', () => {
  for (const { id } of loadRegister) {
    const judgedIn = expectationPage(id).sections.find(({ title }) => title === 'Profiles that judge it');
    assert.ok(judgedIn?.kind === 'text');
    for (const profile of profiles)
      assert.equal(
        judgedIn.text.includes(`\`${profile.id}\``),
        profile.expects.includes(id),
        `${id} ${profile.id}`,
      );
  }
});
