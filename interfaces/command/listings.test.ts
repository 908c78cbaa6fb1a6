import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../evaluation/testing/cli/command.ts';
import { faults } from '../../reference-server/catalogue/faults/index.ts';
import { variants } from '../../reference-server/catalogue/variants/index.ts';
import { loadRegister, register } from '../../spec/register.ts';
import { COMMANDS } from './command-table.ts';

const idsOf = (json: string): readonly string[] => JSON.parse(json).map(({ id }: { id: string }) => id);

test('explain lists the whole register', async (t) => {
  const { code, out } = await run(t, ['explain']);
  assert.equal(code, 0);
  for (const { id, level, sentence, from } of register) {
    const row = out.split('\n').find((line) => line.startsWith(`${id} `)) ?? '';
    for (const part of [level, sentence, `#${from.section}`]) assert.ok(row.includes(part), `${id}: ${part}`);
  }
});

test('explain --json holds every field of the register', async (t) => {
  const { code, out } = await run(t, ['explain', '--json']);
  assert.equal(code, 0);
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

test('serve --list faults lists the whole catalogue, as a table and as JSON', async (t) => {
  const { code, out } = await run(t, ['serve', '--list', 'faults']);
  assert.equal(code, 0);
  const json = await run(t, ['serve', '--list', 'faults', '--json']);
  assert.deepEqual(
    idsOf(json.out),
    faults.map(({ id }) => id),
  );
  for (const { id, breaks, description } of faults) {
    const row = out.split('\n').find((line) => line.startsWith(`${id} `)) ?? '';
    for (const part of [...breaks, description]) assert.ok(row.includes(part), `${id}: ${part}`);
  }
});

test('serve --list variants lists the whole catalogue, as a table and as JSON', async (t) => {
  const { code, out } = await run(t, ['serve', '--list', 'variants']);
  assert.equal(code, 0);
  const json = await run(t, ['serve', '--list', 'variants', '--json']);
  assert.deepEqual(
    idsOf(json.out),
    variants.map(({ id }) => id),
  );
  for (const { id, expected, description } of variants) {
    const row = out.split('\n').find((line) => line.startsWith(`${id} `)) ?? '';
    const ids = [...expected.warnings, ...expected.inconclusive];
    const named = ids.length > 2 ? [`${ids.length} requirements`] : ids;
    for (const part of [expected.outcome, ...named, description])
      assert.ok(row.includes(part), `${id}: ${part}`);
  }
});

test('the program has thirteen commands', () => {
  assert.equal(COMMANDS.length, 13);
});
