import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInputs, virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { NewCategoryBody } from './category-requests.ts';
import { carriedBy, nextStoredValue, nextStoredValues } from './stored-values.ts';

const inputs = runInputs({ tag: 'abcdefghij' });
const pacerAfter = (exchanges: readonly Exchange[]): Pacer => ({ session: { exchanges } }) as Pacer;

const { lines } = await virtualRun();
const [template] = edit.exchangesIn(lines, ({ request }) => request.method === 'POST');
function answered(status: number, body: NewCategoryBody): Exchange {
  assert.ok(template !== undefined);
  return { ...edit.requestBody(body)(edit.status(status)(template)), step: 'any' };
}

test('every body carries one property in each field, and no property is sent twice', () => {
  const all = nextStoredValues(pacerAfter([]), inputs, 20);
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  const carried = all.map(carriedBy);
  for (const field of ['name', 'description'] as const) {
    const found = carried.flatMap((one) => one[field] ?? []);
    assert.ok(found.length >= 8);
    assert.equal(new Set(found).size, found.length);
  }
  assert.ok(
    carried.every(({ name, description }) => name === undefined || name.property !== description?.property),
  );
});

test('names are at most 26 characters long, and contain the tag of the run', () => {
  for (const { name } of nextStoredValues(pacerAfter([]), inputs, 12)) {
    assert.ok(name.length <= 26, name);
    assert.match(name, /pc-abcdefghij-v/);
  }
});

test('what was sent is not sent again, unless it got 429', () => {
  const [first, second] = nextStoredValues(pacerAfter([]), inputs, 2);
  assert.ok(first !== undefined && second !== undefined);
  const after = (status: number) => carriedBy(nextStoredValue(pacerAfter([answered(status, first)]), inputs));
  assert.deepEqual(after(201), carriedBy(second));
  assert.deepEqual(after(429), carriedBy(first));
});

test('after a rejection names stay plain, and descriptions, too, where a rejection must not come again', () => {
  const [first] = nextStoredValues(pacerAfter([]), inputs, 1);
  assert.ok(first !== undefined);
  const pacer = pacerAfter([answered(400, first)]);
  const [next] = nextStoredValues(pacer, inputs, 1).map(carriedBy);
  assert.equal(next?.name, undefined);
  assert.notEqual(next?.description, undefined);
  const { name, description } = carriedBy(nextStoredValue(pacer, inputs));
  assert.equal(name, undefined);
  assert.notEqual(description, carriedBy(first).description);
});

test('where letters beyond ASCII were rejected, ASCII is still sent', () => {
  const all = nextStoredValues(pacerAfter([]), inputs, 20);
  const accents = all.find((body) => /NFD/.test(carriedBy(body).name?.property ?? ''));
  assert.ok(accents !== undefined);
  const later = nextStoredValues(pacerAfter([answered(400, { name: accents.name })]), inputs, 20);
  const names = later.filter((body) => carriedBy(body).name !== undefined).map(({ name }) => name);
  assert.ok(names.length > 2);
  for (const name of names) assert.match(name, /^\p{ASCII}+$/u);
});

test('a long description or an empty one that is rejected excludes no other, and not the name beside it', () => {
  const all = nextStoredValues(pacerAfter([]), inputs, 20);
  for (const property of ['a long text', 'no characters at all']) {
    const body = all.find((one) => carriedBy(one).description?.property === property);
    assert.ok(body !== undefined);
    const { name } = carriedBy(body);
    assert.notEqual(name, undefined);
    const later = nextStoredValues(pacerAfter([answered(400, body)]), inputs, 20).map(carriedBy);
    assert.ok(later.some((one) => one.name === name));
    assert.ok(later.every(({ description }) => description?.property !== property));
    assert.ok(later.filter(({ description }) => description !== undefined).length > 10);
  }
});

test('a rejected description speaks against the name beside it no longer when it is rejected beside a plain name', () => {
  const [first] = nextStoredValues(pacerAfter([]), inputs, 1);
  assert.ok(first !== undefined);
  const again = { name: 'plain', description: first.description };
  const pacer = pacerAfter([answered(400, first), answered(400, again)]);
  const { name, description } = carriedBy(nextStoredValue(pacer, inputs));
  assert.equal(name, carriedBy(first).name);
  assert.notEqual(description, carriedBy(first).description);
});

test('a description that was rejected beside a name with another property is sent once more', () => {
  const [first] = nextStoredValues(pacerAfter([]), inputs, 1);
  assert.ok(first !== undefined);
  const [again] = nextStoredValues(pacerAfter([answered(400, first)]), inputs, 1).map(carriedBy);
  assert.deepEqual(again, { name: undefined, description: carriedBy(first).description });
});

test('names of a pattern carry nothing', () => {
  const bodies = nextStoredValues(pacerAfter([]), { ...inputs, namePattern: 'Category {id}' }, 3);
  for (const { name } of bodies) assert.match(name, /^Category [a-z]{6}$/);
});
