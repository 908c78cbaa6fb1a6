import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { register } from '../../../spec/register.ts';
import { sourcesOf } from '../../../tools/provide.ts';
import { readResults } from '../../study.ts';
import { foundIn, sentences } from '../breaks/break.ts';
import { loadedServices, services } from '../services.ts';
import type { ServiceResult } from './measure.ts';
import { falseFails, measuredBreaks } from './measure.ts';

const specification = readFileSync('spec/interface-specification.md', 'utf8');

test('every sentence that a break violates is in the specification', () => {
  for (const sentence of Object.values(sentences)) assert.ok(specification.includes(sentence), sentence);
});

test('the pages name every service, with a link to its source', () => {
  const pages = ['OUTSIDERS.md', 'LOAD-MATRIX.md'].map((name) => readFileSync(`evaluation/${name}`, 'utf8'));
  for (const { name } of [...services, ...loadedServices])
    assert.ok(pages.join('').includes(`| [\`${name}\`](third-party/services/${name}/) |`), name);
});

describe('the table of breaks', () => {
  for (const service of services) {
    const { name, breaks } = service;
    test(`${name}: every break is in its source, once in its table, and names requirements of the register`, async () => {
      const source = (await sourcesOf(service)).map(({ text }) => text).join('\n');
      const known = new Set<string>(register.map(({ id }) => id));
      assert.equal(new Set(breaks.map(({ id }) => id)).size, breaks.length);
      for (const { id, deserved } of breaks) {
        assert.match(source, new RegExp(`["']${id}["']`), `${name} does not implement ${id}`);
        if (deserved.verdict === 'no fail') continue;
        for (const requirement of deserved.ids) assert.ok(known.has(requirement), requirement);
      }
    });
  }
});

describe('the committed results', () => {
  const results = readResults<ServiceResult>('third-party/certify');
  for (const service of services) {
    const { name, breaks } = service;
    test(`${name}: every break has a result, nothing conforming fails, and each miss has its reason`, () => {
      const result = results[name];
      assert.ok(result !== undefined, `no results of ${name}`);
      assert.ok(result.conforming.length >= 6);
      const missing = breaks.filter(({ id }) => result.breaks[id] === undefined).map(({ id }) => id);
      assert.deepEqual(missing, []);
      assert.deepEqual(falseFails(service, result), []);
      for (const { one, found } of measuredBreaks(service, result)) {
        assert.equal(one.missed !== undefined, found === 'missed', `${name} ${one.id} was ${found}`);
      }
    });
  }
});

test('what became of a break follows from what it deserves', () => {
  const nothing = { outcome: 'conforms', fails: [], warns: [], inconclusive: [] };
  const broken = { verdict: 'fail', ids: ['LIST-1'] } as const;
  const open = { verdict: 'no fail' } as const;
  assert.equal(foundIn(broken, { ...nothing, fails: ['LIST-1'] }), 'caught');
  assert.equal(foundIn(broken, { ...nothing, fails: ['LIST-2'] }), 'missed');
  assert.equal(foundIn(broken, { ...nothing, warns: ['LIST-1'] }), 'missed');
  assert.equal(foundIn({ ...broken, verdict: 'warn' }, { ...nothing, warns: ['LIST-1'] }), 'caught');
  assert.equal(foundIn(open, nothing), 'left open');
  assert.equal(foundIn(open, { ...nothing, fails: ['LIST-1'] }), 'false fail');
});
