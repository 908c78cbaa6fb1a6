import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { VirtualClock } from '../../../evaluation/simulation/service-time.ts';
import { bodyTextForPeople } from '../../../kernel/exchanges/body.ts';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { JournalLine } from '../model/journal.ts';
import {
  ANOTHER_CASE,
  BEARER_ELSEWHERE,
  FORMS_OF_THE_KEY,
  OTHER_SCHEMES,
} from '../probes/other-spellings.ts';
import { MISPLACED_KEYS, NEAR_MISSES } from '../probes/unauthenticated.ts';
import { JOURNAL_BODY_BYTES } from './body-recorder.ts';
import type { Credential } from './keyring.ts';
import type { ProbeRequest } from './session.ts';
import { CookieJar, Session } from './session.ts';
import type { Reply } from './wire.ts';

const BASE = new URL('http://127.0.0.1:8080/v1');
const KEY = 'Secret-key/with+signs="42"~';
const OTHER = 'the-other-key-of-another-caller';

/** A session with a target that responds like this. */
function sessionWith(reply: {
  readonly body?: Uint8Array;
  readonly headers?: readonly HeaderLine[];
  readonly bytes?: number;
  readonly broken?: string;
  readonly key?: string;
  readonly signal?: AbortSignal;
}) {
  const lines: JournalLine[] = [];
  const clock = new VirtualClock();
  const moments = { connection: { id: 1, fresh: true }, sent: clock.now(), received: clock.now() };
  const body = reply.body ?? Buffer.from('[]');
  const answer: Reply = {
    kind: 'answer',
    status: 200,
    headers: reply.headers ?? [],
    body,
    bytes: reply.bytes ?? body.length,
    ...(reply.broken === undefined ? {} : { broken: reply.broken }),
    ...moments,
  };
  let requests = 0;
  const respond = async (): Promise<Reply> => {
    requests += 1;
    return answer;
  };
  const session = new Session({
    wire: { send: respond, closeConnections: async () => undefined },
    clock,
    journal: { append: (line) => void lines.push(line) },
    keys: { key: reply.key ?? KEY, other: OTHER },
    baseUrl: BASE,
    headers: [['X-Gateway', 'gateway-password']],
    ...(reply.signal === undefined ? {} : { signal: reply.signal }),
  });
  const send = async (more: Partial<ProbeRequest> = {}) => {
    await session.send('step', { method: 'GET', path: '/categories', credential: { kind: 'none' }, ...more });
    return JSON.stringify(lines);
  };
  /** The exchange that is recorded of such a request. */
  const exchange = async (more: Partial<ProbeRequest> = {}) => {
    await send(more);
    const [recorded] = lines;
    assert.ok(recorded?.kind === 'exchange' && recorded.outcome.kind === 'answer');
    return { ...recorded, outcome: recorded.outcome };
  };
  return { session, send, exchange, requests: () => requests };
}

const hex = (text: string, digits: number, before: string): string =>
  [...text].map((c) => `${before}${c.charCodeAt(0).toString(16).padStart(digits, '0')}`).join('');

/** Every form in which a key may come back. */
const forms: Readonly<Record<string, (key: string) => string>> = {
  'as it is': (key) => key,
  'percent-encoded': (key) => encodeURIComponent(key),
  'percent-encoded throughout': (key) => hex(key, 2, '%'),
  'in JSON': (key) => JSON.stringify(key).slice(1, -1),
  'in JSON escapes': (key) => hex(key, 4, '\\u'),
  'in base64': (key) => Buffer.from(key).toString('base64'),
  'in base64 as a user of Basic': (key) => Buffer.from(`${key}:`).toString('base64'),
};

/** Whether a text holds the key in any form, read with every escape undone. */
function leaks(text: string): boolean {
  const plain = text.replaceAll('\\"', '"').replaceAll('\\\\', '\\');
  return Object.values(forms).some((form) => {
    const shown = form(KEY).replace(/=+$/, '');
    return text.includes(shown) || plain.includes(shown) || text.includes(JSON.stringify(shown).slice(1, -1));
  });
}

test('the search for leaks finds every form', () => {
  for (const form of Object.values(forms)) assert.ok(leaks(JSON.stringify({ text: `<${form(KEY)}>` })));
  assert.ok(!leaks(JSON.stringify({ text: '<[key]>' })));
});

const OPEN = ['lower-case scheme', 'extra spaces', 'valid, then unknown'] as const;
const ALTERED = NEAR_MISSES.filter((kind) => kind !== 'empty bearer');
const ELSEWHERE = [...MISPLACED_KEYS, BEARER_ELSEWHERE, ...OTHER_SCHEMES] as const;
const kinds = [...OPEN, ...ALTERED, ...ELSEWHERE, ...FORMS_OF_THE_KEY, ANOTHER_CASE] as const;
const credentials: readonly Credential[] = [
  { kind: 'bearer', caller: 'key' },
  ...kinds.map((kind) => ({ kind }) as Credential),
];
for (const credential of credentials) {
  test(`the key does not reach the journal when it is sent as "${credential.kind}"`, async () => {
    const text = await sessionWith({}).send({ credential });
    assert.ok(!leaks(text) && !text.includes(KEY.slice(0, -1)) && !text.includes('gateway-password'), text);
    assert.match(text, /\[[^\]]*key[^\]]*\]/);
  });
}

for (const key of [KEY, '483920'])
  test(`the key ${key.slice(0, 6)} does not reach the journal when it is sent in a body`, async () => {
    const text = await sessionWith({ key }).send({
      credential: { kind: 'key in the body' },
      method: 'POST',
      body: '{"name":"a"}',
    });
    assert.ok(!leaks(text) && !text.includes(key), text);
    assert.match(text, /\{\\"name\\":\\"a\\",\\"api_key\\":\\"\[key\]\\"/);
  });

for (const [name, form] of Object.entries(forms)) {
  test(`a key that the target echoes ${name} does not reach the journal`, async () => {
    const echoed = form(KEY);
    const { session, send } = sessionWith({
      body: Buffer.from(`{"echo":"${echoed}"}`),
      headers: [
        ['X-Echo', echoed],
        [`X-${name === 'as it is' ? KEY : 'Other'}`, OTHER],
      ],
    });
    session.note(`The target sent ${echoed}.`);
    session.recordDocument({
      source: `${echoed}.yaml`,
      address: `http://a/${echoed}`,
      text: `key: ${echoed}`,
      unread: echoed,
    });
    const text = await send({ credential: { kind: 'bearer', caller: 'key' } });
    assert.ok(!leaks(text) && !text.includes(OTHER), text);
  });
}

for (const key of ['483920', '1'.repeat(200), 'ab12.-', '......', '\\\\\\\\\\\\'])
  test(`the key ${key.slice(0, 8)} does not reach the journal, however it is presented`, async () => {
    for (const kind of [...MISPLACED_KEYS, 'lower-case scheme', 'extra spaces'] as const) {
      const { headers, target } = (await sessionWith({ key }).exchange({ credential: { kind } })).request;
      const sent = [...headers.map(([, value]) => value), target]
        .join('\n')
        .replaceAll(/\[[a-z0-9 ]+\]/g, '');
      const carrying = /(?:^|[ =])([^ =;&\n]*)/gm;
      const words = [...sent.matchAll(carrying)].map(([, word]) => word);
      assert.ok(!words.includes(key) && !words.includes(encodeURIComponent(key)), `${kind}: ${sent}`);
    }
  });

test('a body that broke off is recorded as an excerpt without the key, and so is the network error', async () => {
  const body = Buffer.from(`{"echo":"${KEY}"}${' '.repeat(1000)}`);
  const recorded = await sessionWith({ body, broken: `closed after ${KEY}` }).exchange();
  assert.ok(!leaks(JSON.stringify(recorded)));
  const { outcome } = recorded;
  assert.ok(outcome.body.cut);
  assert.match(outcome.body.excerpt, /^\{"echo":"\[key\]"\}/);
  assert.equal(outcome.broken, 'closed after [key]');
});

test('a key among bytes that are not UTF-8 does not reach the journal', async () => {
  const sent = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(KEY)]);
  const { body } = (await sessionWith({ body: sent }).exchange()).outcome;
  assert.equal(body.encoding, 'base64');
  assert.ok(!Buffer.from(bodyTextForPeople(body), 'base64').toString('latin1').includes(KEY));
});

test('a key in a compressed body does not reach the journal', async () => {
  const coded = { headers: [['Content-Encoding', 'gzip']], body: gzipSync(`{"echo":"${KEY}"}`) } as const;
  const { body, decoded } = (await sessionWith(coded).exchange()).outcome;
  assert.equal(bodyTextForPeople(body), '{"echo":"[key]"}');
  assert.equal(decoded, 'gzip');
});

test('half a key at the end of a truncated body does not reach the journal', async () => {
  for (let shown = 1; shown < KEY.length; shown += 5) {
    const body = Buffer.from('x'.repeat(2000) + KEY.slice(0, shown));
    const text = await sessionWith({ body, bytes: 9_000_000 }).send();
    assert.ok(!text.includes(`x${KEY.slice(0, shown)}`), `${shown} characters`);
    assert.match(text, /"cut":true/);
  }
});

test('a key at the size limit does not reach the journal, and the body is marked as cut', async () => {
  // No form of the key ends with a space: the search does the least work there.
  const filling = ' '.repeat(JOURNAL_BODY_BYTES - 10);
  const recorded = await sessionWith({ body: Buffer.from(filling + KEY + filling) }).exchange();
  assert.ok(!JSON.stringify(recorded).includes(KEY.slice(0, 8)));
  assert.equal(recorded.outcome.body.cut, true);
  assert.ok(bodyTextForPeople(recorded.outcome.body).length <= JOURNAL_BODY_BYTES);
});

test('requests and responses are recorded unchanged, except for keys and values that no judge reads', async () => {
  const target = sessionWith({
    headers: [
      ['Allow', 'GET'],
      ['allow', 'POST'],
      ['X-Twice', 'a'],
      ['x-twice', 'b'],
      ['X-Again', 'a'],
    ],
  });
  const credential = { kind: 'bearer', caller: 'other' } as const;
  const exchange = await target.exchange({ method: 'POST', body: '{"name":"é"}', credential });
  assert.equal(exchange.caller, 'other');
  assert.equal(exchange.request.target, '/v1/categories');
  assert.deepEqual(exchange.request.body, { text: '{"name":"é"}', encoding: 'utf8', bytes: 13, cut: false });
  assert.deepEqual(exchange.request.headers.at(-1), ['Authorization', 'Bearer [other key]']);
  assert.deepEqual(exchange.outcome.headers, [
    ['Allow', 'GET'],
    ['allow', 'POST'],
    ['X-Twice', '[not recorded 1]'],
    ['x-twice', '[not recorded 2]'],
    ['X-Again', '[not recorded 1]'],
  ]);
});

test('an interrupted run sends nothing more', async () => {
  const { send, requests } = sessionWith({ signal: AbortSignal.abort() });
  await assert.rejects(send(), { name: 'AbortError' });
  assert.equal(requests(), 0);
});

const lineAfter = (...responses: readonly (readonly string[])[]): string => {
  const jar = new CookieJar();
  for (const cookies of responses) jar.keep(cookies.map((cookie) => ['Set-Cookie', cookie]));
  return jar.line;
};

const rows: Readonly<Record<string, readonly [responses: readonly (readonly string[])[], sent: string]>> = {
  'no cookie': [[[]], ''],
  'two cookies of two responses': [[['a=1; Path=/'], ['b=2; HttpOnly']], 'a=1; b=2'],
  'the last value of a cookie': [[['a=1'], ['a=2']], 'a=2'],
  'a cookie that was deleted': [[['a=1', 'b=2'], ['a=; Max-Age=0']], 'b=2'],
  'what is no cookie': [[['nonsense', '=1', 'a b=1']], ''],
};

for (const [description, [responses, sent]] of Object.entries(rows)) {
  test(`${description}: ${sent === '' ? 'nothing' : sent} is sent back`, () => {
    assert.equal(lineAfter(...responses), sent);
  });
}

test('at most twenty cookies and 4 KiB are sent back', () => {
  const sent = lineAfter(Array.from({ length: 40 }, (_, i) => `c${i}=${'x'.repeat(500)}`));
  assert.ok(sent.length <= 4096 && sent.endsWith('x') && sent.includes('c39='));
  assert.equal(lineAfter(Array.from({ length: 40 }, (_, i) => `c${i}=1`)).split('; ').length, 20);
});
