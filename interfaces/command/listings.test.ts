import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { commandIn, exits, run } from '../../evaluation/testing/cli/command.ts';
import { conforming, violating } from '../../evaluation/testing/reports/records.ts';
import { profiles } from '../../load/profiles/index.ts';
import { faults } from '../../reference-server/catalogue/faults/index.ts';
import { variants } from '../../reference-server/catalogue/variants/index.ts';
import { renderJson } from '../../reports/files.ts';
import { loadRegister, register } from '../../spec/register.ts';
import { expectationPage } from '../handbook/page.ts';

const idsOf = (json: string): readonly string[] => JSON.parse(json).map(({ id }: { id: string }) => id);

test('explain lists the whole register', async (t) => {
  const { out } = await exits(0, t, ['explain']);
  for (const { id, level, sentence, from } of register) {
    const row = out.split('\n').find((line) => line.startsWith(`${id} `)) ?? '';
    for (const part of [level, sentence, `#${from.section}`]) assert.ok(row.includes(part), `${id}: ${part}`);
  }
});

test('explain --json holds every field of the register', async (t) => {
  const { out } = await exits(0, t, ['explain', '--json']);
  assert.deepEqual(
    idsOf(out),
    [...register, ...loadRegister].map(({ id }) => id),
  );
  for (const field of ['level', 'chapter', 'sentence', 'from', 'judged']) {
    assert.ok(
      JSON.parse(out).every((one: Record<string, unknown>) => typeof one[field] === 'string'),
      field,
    );
  }
});

const catalogues = {
  faults: faults.map(({ id, breaks, description }) => ({ id, parts: [...breaks, description] })),
  variants: variants.map(({ id, outcome, warnings, inconclusive, description }) => {
    const ids = [...warnings, ...inconclusive];
    const named = ids.length > 2 ? [`${ids.length} requirements`] : ids;
    return { id, parts: [outcome, ...named, description] };
  }),
};
for (const [name, entries] of Object.entries(catalogues)) {
  test(`serve --list ${name} lists the whole catalogue, as a table and as JSON`, async (t) => {
    const { out } = await exits(0, t, ['serve', '--list', name]);
    const json = await run(t, ['serve', '--list', name, '--json']);
    assert.deepEqual(
      idsOf(json.out),
      entries.map(({ id }) => id),
    );
    for (const { id, parts } of entries) {
      const row = out.split('\n').find((line) => line.startsWith(`${id} `)) ?? '';
      for (const part of parts) assert.ok(row.includes(part), `${id}: ${part}`);
    }
  });
}

test('explain prints the page of a requirement and of an expectation of load, in any case', async (t) => {
  const requirement = await exits(0, t, ['explain', 'retry-1']);
  assert.match(requirement.out, /^RETRY-1: .*\n\nLevel\n {2}MUST/);
  const expectation = await exits(0, t, ['explain', 'no-429', '--markdown']);
  assert.match(expectation.out, /^# NO-429\n\n\*\*A client that stays below the limit/);
});

test('explain prints the page of a threshold, which no requirement names', async (t) => {
  for (const [id, option] of [
    ['LATENCY', '--latency-ms'],
    ['THRESHOLD-12', '--thresholds'],
  ] as const) {
    const { out } = await exits(0, t, ['explain', id]);
    assert.ok(out.startsWith(`${id}: `) && out.includes(option), out);
  }
});

test('the page of an expectation names every profile that judges it', () => {
  for (const { id } of loadRegister) {
    const [, judgedIn = ''] = /## Profiles that judge it\n\n(.*)/.exec(expectationPage(id)) ?? [];
    for (const profile of profiles)
      assert.equal(
        judgedIn.includes(`\`${profile.id}\``),
        profile.expects.includes(id),
        `${id} ${profile.id}`,
      );
  }
});

/** The command beside the reports of two runs: `good` and `bad`. */
function besideReports(t: TestContext) {
  const here = commandIn(t);
  here.write('good/report.json', renderJson(conforming()));
  here.write('bad/report.json', renderJson(violating()));
  return here;
}

test('compare gates on what became worse, and prints it for people and for programs', async (t) => {
  const here = besideReports(t);
  const worse = await here.exits(1, 'compare good bad/report.json');
  assert.match(worse.out, /CREATE-4 +MUST +✓ pass +✗ fail +worse /);
  assert.match(worse.out, /✗ The second report is worse: 3 worse, 2 lost, \d+ the same\.\n$/);
  const better = await here.exits(0, 'compare bad good --format json');
  assert.equal(JSON.parse(better.out).outcome, 'not worse');
  const markdown = await here.run('compare bad good --format markdown');
  assert.match(markdown.out, /^\*\*✓ The second report is not worse: 2 new, 3 better/);
});

test('matrix puts reports side by side, and never replaces a file', async (t) => {
  const here = besideReports(t);
  const table = await here.exits(0, 'matrix v1=good v2=bad');
  assert.match(table.out, /^\| \| v1 \| v2 \|\n/);
  await here.exits(0, 'matrix good bad --format html --out table.html');
  assert.match(here.read('table.html'), /<!DOCTYPE html>/);
  const again = await here.exits(2, 'matrix good bad --format html --out table.html');
  assert.match(again.err, /table\.html cannot be written: a file has that name/);
  const data = await here.run('matrix a=good b=bad --format json');
  assert.deepEqual(
    JSON.parse(data.out).reports.map(({ name }: { name: string }) => name),
    ['a', 'b'],
  );
});
