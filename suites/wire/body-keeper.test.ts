import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyTextForPeople } from '../../exchanges/body.ts';
import { BodyKeeper, JOURNAL_BODY_BYTES } from './body-keeper.ts';

const keeper = () => new BodyKeeper((text) => text);
const bytes = (text: string) => Buffer.from(text);

test('a body that was kept before is the same text again, whatever came behind the cut', () => {
  const bodies = keeper();
  const long = bytes('x'.repeat(JOURNAL_BODY_BYTES + 1000));
  const first = bodies.keep(long, long.length);
  const again = bodies.keep(long, 2 * long.length);
  assert.equal(first.cut && again.cut, true);
  assert.equal(bodyTextForPeople(again), bodyTextForPeople(first));
  assert.equal(again.bytes, 2 * long.length);
});

test('a run keeps large bodies until it has kept enough, then the beginning of each, and small ones always', () => {
  const bodies = keeper();
  const numbers = (n: number) => bytes(`[${n}${',1'.repeat(1_000_000)}]`);
  const kept = Array.from({ length: 12 }, (_, n) => bodies.keep(numbers(n), numbers(n).length));
  const cuts = kept.filter((one) => one.cut);
  assert.equal(kept[0]?.cut, false);
  assert.ok(cuts.length >= 4, `${cuts.length} were cut`);
  assert.ok(
    cuts.every(
      ({ excerpt, bytes }) => excerpt.length <= 16_384 && excerpt.startsWith('[') && bytes > 2_000_000,
    ),
  );
  assert.equal(bodies.keep(numbers(0), numbers(0).length).cut, false, 'what is known costs nothing');
  assert.deepEqual(bodies.keep(bytes('[]'), 2), { text: '[]', encoding: 'utf8', bytes: 2, cut: false });
});

test('fifty thousand categories that change with every request of a Free run are kept whole', () => {
  const bodies = keeper();
  const list = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id, name: `category ${id}` })));
  for (let n = 0; n < 20; n += 1) {
    const body = bytes(list.replace('category 0', `category ${n} of another`));
    assert.equal(bodies.keep(body, body.length).cut, false, `list ${n + 1}`);
  }
});

test('bytes that are no UTF-8 are kept byte for byte, and cut between bytes', () => {
  const bodies = keeper();
  const body = Buffer.from([0xff, 0x00, 0xe9]);
  assert.deepEqual(bodies.keep(body, 3), { text: '/wDp', encoding: 'base64', bytes: 3, cut: false });
  const long = Buffer.alloc(2000, 0xe9);
  const part = bodies.keep(long, 5000);
  assert.equal(part.cut, true);
  assert.deepEqual(Buffer.from(bodyTextForPeople(part), 'base64'), long.subarray(0, 2000 - 512));
});

test('half of a character at a cut becomes no broken text', () => {
  const text = '😀'.repeat(JOURNAL_BODY_BYTES / 2);
  const kept = keeper().keep(bytes(`x${text}`), 4 * JOURNAL_BODY_BYTES);
  assert.equal(kept.cut, true);
  assert.doesNotMatch(bodyTextForPeople(kept), /\p{Cs}/u);
});
