import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../evaluation/testing/any-text.ts';
import { body, excerptOf } from '../../../evaluation/testing/suites/synthetic.ts';
import { computed } from '../../../evaluation/testing/tools/busy-machine.ts';
import { canonical, fieldsOf, integerOf, jsonOf, numberText, stringsIn } from './json.ts';

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

test('duplicate keys are JSON, and the last one counts', () => {
  const json = jsonOf(body('{"a":1,"a":2}'));
  assert.ok(json.kind === 'json');
  assert.equal(numberText(fieldsOf(json.value)?.get('a')), '2');
});

test('a value of 100,000 levels or a million parts is not judged, and does not end the run', () => {
  assert.equal(jsonOf(body('['.repeat(100_000) + ']'.repeat(100_000))).kind, 'unjudged');
  assert.equal(jsonOf(body(`[${'0,'.repeat(1_000_000)}0]`)).kind, 'unjudged');
});

test('brackets inside of strings are no depth', () => {
  assert.equal(jsonOf(body(JSON.stringify('['.repeat(1000)))).kind, 'json');
});

test('brackets side by side are no depth, and spaces no values', () => {
  for (const one of ['[],', '{},', '"\\"[",'])
    assert.equal(jsonOf(body(`[${one.repeat(1000)}0]`)).kind, 'json');
  assert.equal(jsonOf(body(`[${' '.repeat(1_000_001)}0]`)).kind, 'json');
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
    fc.property(fc.oneof(anyText(), fc.json()), (text) => {
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

const rows: readonly (readonly [text: string, integer: ReturnType<typeof integerOf>])[] = [
  ['0', 0n],
  ['-0', 0n],
  ['7', 7n],
  ['-7', -7n],
  ['7.0', 7n],
  ['7.000e0', 7n],
  ['1e3', 1000n],
  ['1E+3', 1000n],
  ['1000e-3', 1n],
  ['1.5e1', 15n],
  ['120e-1', 12n],
  ['0e-9999999999', 0n],
  ['0.000e99999999999999999999', 0n],
  ['9007199254740993', 9_007_199_254_740_993n],
  ['9007199254740993.0', 9_007_199_254_740_993n],
  ['9223372036854775807', 2n ** 63n - 1n],
  ['9223372036854775808', 2n ** 63n],
  ['1.5', 'none'],
  ['1e-1', 'none'],
  ['1e-9999999999', 'none'],
  ['-1e-9999999999', 'none'],
  ['1e-99999999999999999999999', 'none'],
  ['1e-400', 'none'],
  ['1.0000000000000000001', 'none'],
  ['9007199254740993.5', 'none'],
  ['0.99999999999999999999', 'none'],
  ['1e400', 'beyond'],
  ['-1e400', 'beyond'],
  ['1e99999999999999999999999', 'beyond'],
  ['12345678901234567890', 'beyond'],
  ['NaN', 'none'],
  ['', 'none'],
];

describe('an integer is decided on the text of a number', () => {
  for (const [text, integer] of rows) {
    test(`${text} is ${integer}`, () => assert.equal(integerOf(text), integer));
  }
});

test('one integer has one form', () => {
  for (const text of ['1000', '1e3', '1000.0', '10.00E2']) assert.equal(canonical(text), '1000');
  for (const text of ['1.5', '1e-9999999999', '1e400']) assert.equal(canonical(text), text);
});

test('a long number takes no longer than its text is long', () => {
  const many = 4_000_000;
  const hostile = [
    '9'.repeat(many),
    `1${'0'.repeat(many)}`,
    `1${'0'.repeat(many)}1`,
    `0.${'0'.repeat(many)}1`,
    `${'1'.repeat(many)}e-${many}`,
    `1${'0'.repeat(many)}e-${many}`,
    `1e${'9'.repeat(many)}`,
    `1e-${'0'.repeat(many)}1`,
  ];
  const { computedMs } = computed(() => hostile.map(integerOf));
  assert.ok(computedMs < 3000, `${computedMs} ms`);
});
