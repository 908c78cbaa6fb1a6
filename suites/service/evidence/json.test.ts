import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { body, excerptOf } from '../../../evaluation/testing/suites/synthetic.ts';
import { fieldsOf, jsonOf, numberText, stringsIn } from './json.ts';

test('no digit of a number is lost', () => {
  const json = jsonOf(body('{"id":9223372036854775807}'));
  assert.ok(json.kind === 'json');
  assert.equal(numberText(fieldsOf(json.value)?.get('id')), '9223372036854775807');
});

test('a key named __proto__ is a field like any other, and gives nothing to the object', () => {
  const json = jsonOf(body('{"__proto__":{"id":1,"name":"x"}}'));
  assert.ok(json.kind === 'json');
  assert.deepEqual([...(fieldsOf(json.value)?.keys() ?? [])], ['__proto__']);
});

test('duplicate keys are JSON, and the last one counts in both readings', () => {
  const json = jsonOf(body('{"a":1,"a":2}'));
  assert.ok(json.kind === 'json');
  assert.equal(numberText(fieldsOf(json.value)?.get('a')), '2');
  assert.deepEqual(json.plain, { a: 2 });
});

test('a value of 100,000 levels is not judged, and does not end the run', () => {
  assert.equal(jsonOf(body('['.repeat(100_000) + ']'.repeat(100_000))).kind, 'unjudged');
});

test('brackets inside of strings are no depth', () => {
  assert.equal(jsonOf(body(JSON.stringify('['.repeat(1000)))).kind, 'json');
});

test('a body that was cut is never judged as if it were whole', () => {
  assert.equal(jsonOf(excerptOf('[]', 2)).kind, 'unjudged');
});

test('bytes that are no UTF-8 are not JSON', () => {
  assert.equal(jsonOf({ text: '/w==', encoding: 'base64', bytes: 1, cut: false }).kind, 'not json');
});

test('every string inside is found', () => {
  const json = jsonOf(body('[{"a":["x",{"b":"y"}]},"z",1,null]'));
  assert.ok(json.kind === 'json');
  assert.deepEqual(stringsIn(json.value), ['x', 'y', 'z']);
});

test('whatever the text, both readings agree on whether it is JSON', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
      const { kind } = jsonOf(body(text));
      let parses = true;
      try {
        JSON.parse(text.replace(/^\uFEFF/, ''));
      } catch {
        parses = false;
      }
      assert.equal(kind === 'json', parses);
    }),
  );
});
