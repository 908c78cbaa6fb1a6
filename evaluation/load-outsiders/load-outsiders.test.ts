import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findProfile } from '../../load/profiles/index.ts';
import { sampleOf } from '../../tools/sample.ts';
import { readResults } from '../study.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { conditions } from './conditions.ts';
import { healthyVariants, loadFaults } from './faults.ts';
import { loadService } from './load-service.ts';
import { LOAD_MATRIX_PAGE, renderLoadMatrix } from './page.ts';
import type { LoadRun, MatrixRow } from './results.ts';
import { deservedOf, falseLoadFails, isFound, missedFaults, resultOf, rowKey } from './results.ts';
import { buildLoadOutsider, loadOutsiders } from './services.ts';

const rows = Object.values(readResults<MatrixRow>('load-outsiders'));

/** Every source of a service, as one text. */
function sourceOf(name: string): string {
  const folder = join(import.meta.dirname, 'services', name);
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}

describe('the table of faults', () => {
  for (const { name } of loadOutsiders) {
    test(`${name} implements every fault and every healthy variant`, () => {
      const source = sourceOf(name);
      for (const { id } of [...loadFaults, ...healthyVariants])
        if (id !== '') assert.ok(source.includes(`"${id}"`), `${name} does not implement ${id}`);
    });
  }

  test('every fault names expectations that its profile judges', () => {
    for (const { id, profile, deserved } of loadFaults) {
      const { expects } = findProfile(profile);
      const by = deserved.kind === 'not judged' ? [] : deserved.by;
      for (const one of by)
        assert.ok((expects as readonly string[]).includes(one), `${id}: ${profile} does not judge ${one}`);
    }
  });
});

describe('the committed results', () => {
  test('the page states them', () => {
    assert.equal(readFileSync(LOAD_MATRIX_PAGE, 'utf8'), renderLoadMatrix(rows));
  });

  test('every service was run by every profile as it conforms, and with every fault', () => {
    const known = new Set(rows.map(rowKey));
    const wanted = loadOutsiders.flatMap(({ name: service }) => [
      ...Object.keys(conditions).map((profile) => `${service} conforming ${profile}`),
      ...loadFaults.map(({ id, profile }) => `${service} ${id} ${profile}`),
    ]);
    assert.deepEqual(
      wanted.filter((key) => !known.has(key)),
      [],
    );
  });

  test('no conforming service failed', () => assert.deepEqual(falseLoadFails(rows), []));

  test('every fault was found by the profile that should find it, unless this machine sent late or a reason is stated', () => {
    assert.deepEqual(
      missedFaults(rows).filter(({ because }) => because === undefined),
      [],
    );
    for (const row of rows) {
      const deserved = deservedOf(row);
      if (deserved === undefined || deserved.kind === 'not judged') continue;
      assert.ok(
        row.runs.some((run) => resultOf(deserved, run) === 'found'),
        `${rowKey(row)} was never found`,
      );
    }
  });
});

test('what a run found follows from what the fault deserves', () => {
  const passed: LoadRun = { outcome: 'conforms', fails: [], inconclusive: [], because: [] };
  const failed: LoadRun = { ...passed, outcome: 'violates', fails: ['CEILING'] };
  const doubted: LoadRun = { ...passed, outcome: 'incomplete', inconclusive: ['CEILING'] };
  for (const kind of ['fails', 'doubted'] as const) {
    assert.equal(isFound({ kind, by: ['CEILING'] }, passed), false);
    assert.equal(isFound({ kind, by: ['CEILING'] }, failed), true);
    assert.equal(isFound({ kind, by: ['FLOOR'] }, failed), false);
    assert.equal(isFound({ kind, by: ['CEILING'] }, doubted), kind === 'doubted');
  }
  const deserved = { kind: 'fails', by: ['CEILING'] } as const;
  const late: LoadRun = { ...doubted, inconclusive: ['SENT', 'CEILING'] };
  assert.equal(resultOf(deserved, late), 'sent late');
  assert.equal(resultOf(deserved, { ...late, fails: ['FLOOR'] }), 'missed');
  assert.equal(resultOf(deserved, doubted), 'missed');
});

describe('a short live run', { skip: withoutK6 }, () => {
  for (const outsider of sampleOf(loadOutsiders)) {
    test(`${outsider.name}: over-limit finds twice the limit, and does not fail the service as it conforms`, async (t) => {
      const built = await buildLoadOutsider(outsider);
      if (built.kind === 'missing') return t.skip(built.why);
      assert.deepEqual((await loadService(built, 'over-limit', '')).fails, []);
      assert.ok((await loadService(built, 'over-limit', 'doubled-limit')).fails.includes('CEILING'));
    });
  }
});
