import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findProfile } from '../../../load/profiles/index.ts';
import { provide, sourcesOf } from '../../../tools/provide.ts';
import { sampleOf } from '../../../tools/sample.ts';
import { readResults } from '../../study.ts';
import { withoutK6 } from '../../testing/tools/k6.ts';
import { loadedServices } from '../services.ts';
import { healthyVariants, loadFaults } from './faults.ts';
import { loadService } from './load-service.ts';
import type { LoadRun, LoadRuns } from './tables.ts';
import { loadSubjects, resultOf, wrongRuns } from './tables.ts';

describe('the table of faults', () => {
  for (const service of loadedServices) {
    test(`${service.name} implements every fault and every healthy variant`, async () => {
      const source = (await sourcesOf(service)).map(({ text }) => text).join('\n');
      for (const { id } of [...loadFaults, ...healthyVariants])
        if (id !== '') assert.ok(source.includes(`"${id}"`), `${service.name} does not implement ${id}`);
    });
  }

  test('every fault names expectations that its profile judges', () => {
    for (const { id, profiles, deserved } of [...loadFaults, ...healthyVariants]) {
      for (const profile of profiles) {
        const judged: readonly string[] = findProfile(profile).expects;
        const by = deserved.verdict === 'no fail' ? [] : deserved.ids;
        for (const one of by) assert.ok(judged.includes(one), `${id}: ${profile} does not judge ${one}`);
      }
    }
  });
});

test('in the committed results no conforming service failed, and every fault was found, unless this machine sent late or a reason is stated', () => {
  const results = readResults<LoadRuns>('third-party/load');
  for (const subject of loadSubjects) {
    const { name, fault } = subject;
    const row = results[name];
    assert.ok(row !== undefined, `no results of ${name}`);
    const unexplained = wrongRuns(subject, row).filter(({ reason }) => reason === undefined);
    assert.deepEqual(unexplained, []);
    if (fault.missed !== undefined || fault.deserved.verdict === 'no fail') continue;
    const found = row.runs.some((run) => resultOf(fault.deserved, run) === 'caught');
    assert.ok(found, `${name} was never found`);
  }
});

test('a run that should find a fault and sent late gives no verdict', () => {
  const passed: LoadRun = { outcome: 'conforms', fails: [], inconclusive: [], because: [] };
  const late: LoadRun = { ...passed, outcome: 'incomplete', inconclusive: ['SENT', 'CEILING'] };
  const deserved = { verdict: 'fail', ids: ['CEILING'] } as const;
  assert.equal(resultOf(deserved, { ...passed, fails: ['CEILING'] }), 'caught');
  assert.equal(resultOf(deserved, { ...passed, inconclusive: ['CEILING'] }), 'missed');
  assert.equal(resultOf({ ...deserved, verdict: 'inconclusive' }, late), 'caught');
  assert.equal(resultOf(deserved, late), 'no verdict');
  assert.equal(resultOf(deserved, { ...late, fails: ['FLOOR'] }), 'missed');
});

describe('a short live run', { skip: withoutK6 }, () => {
  for (const service of sampleOf(loadedServices)) {
    test(`${service.name}: over-limit finds twice the limit, and does not fail the service as it conforms`, async (t) => {
      const built = await provide(service);
      if (built.kind === 'missing') return t.skip(built.why);
      const program = { ...service, folder: built.folder };
      assert.deepEqual((await loadService(program, 'over-limit', '')).fails, []);
      assert.ok((await loadService(program, 'over-limit', 'doubled-limit')).fails.includes('CEILING'));
    });
  }
});
