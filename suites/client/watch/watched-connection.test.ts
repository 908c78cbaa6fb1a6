import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientJournalLine } from '../model/journal.ts';
import { SeenKeys } from './recorded-values.ts';
import { watchConnection } from './watched-connection.ts';

/** A connection whose lines are kept. */
function watched(known: readonly string[] = []) {
  const lines: ClientJournalLine[] = [];
  let n = 0;
  const flight = new Map<number, number>();
  const connection = watchConnection(
    {
      keys: new SeenKeys(known),
      base: '/v1',
      record: (line) => lines.push(line),
      nextNumber: () => {
        n += 1;
        return n;
      },
      inFlight: (start, change) => {
        flight.set(start, (flight.get(start) ?? 0) + change);
        return flight.get(start) ?? 0;
      },
    },
    1,
  );
  const sends = (text: string): boolean => connection.requests.read(Buffer.from(text));
  const answers = (text: string): boolean => connection.responses.read(Buffer.from(text));
  return { lines, connection, flight, sends, answers };
}

/** Those of one kind. */
const linesOf = <Kind extends ClientJournalLine['kind']>(kind: Kind, lines: readonly ClientJournalLine[]) =>
  lines.filter((line): line is Extract<ClientJournalLine, { kind: Kind }> => line.kind === kind);

const get = (key: string): string =>
  `GET /v1/categories HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]';

test('requests and responses are paired, byte by byte and pipelined, interim responses left out', () => {
  const { lines, connection, flight } = watched();
  const post =
    'POST /v1/categories HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer key-of-mine\r\nContent-Length: 12\r\n\r\n{"name":"a"}';
  for (const byte of Buffer.from(get('key-of-mine') + post))
    assert.ok(connection.requests.read(Buffer.from([byte])));
  const created =
    'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"id\r\n9\r\n":1,"a":2\r\n1\r\n}\r\n0\r\n\r\n';
  for (const byte of Buffer.from(`${OK}HTTP/1.1 100 Continue\r\n\r\n${created}`)) {
    assert.ok(connection.responses.read(Buffer.from([byte])));
  }
  const responses = linesOf('response', lines);
  const answered = responses.map((one) => [one.n, one.status, one.body, one.requestBody?.bytes ?? 0]);
  assert.deepEqual(answered, [
    [1, 200, { text: '[]', encoding: 'utf8', bytes: 2, cut: false }, 0],
    [2, 201, { text: '{"id":1,"a":0}', encoding: 'utf8', bytes: 14, cut: false }, 12],
  ]);
  const arrivals = linesOf('arrival', lines);
  const shown = arrivals.map((one) => `${one.method} ${one.target} ${one.inFlight} ${one.start}`);
  assert.deepEqual(shown, ['GET /v1/categories 1 1', 'POST /v1/categories 2 1']);
  assert.equal(flight.get(1), 0);
});

test('every key is a start of its own, and none is recorded', () => {
  const { lines, sends, answers } = watched(['known-from-the-first-byte']);
  sends('GET /v1/x?key=known-from-the-first-byte HTTP/1.1\r\nHost: a\r\n\r\n');
  answers(OK);
  sends(get('key-of-mine'));
  answers('HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nkey-of-mine');
  sends(get('key-of-others'));
  answers('HTTP/1.1 200 OK\r\nContent-Length: 11\r\nSet-Cookie: s=1\r\n\r\nkey-of-mine');
  const text = JSON.stringify(lines);
  for (const key of ['known-from', 'key-of-mine', 'key-of-others', 's=1'])
    assert.ok(!text.includes(key), key);
  const arrivals = linesOf('arrival', lines);
  assert.equal(arrivals.map(({ start }) => start).join(), '1,2,3');
  assert.equal(arrivals[0]?.target, '/v1/x?key=[key]');
  const bodies = linesOf('response', lines).flatMap(({ body }) => (body.cut ? [] : [body.text]));
  assert.deepEqual(bodies, ['[]', '[key]', '[another key]']);
});

test('a HEAD has no body, a body until the end of the connection is whole, and what is no HTTP is not read', () => {
  const { lines, connection, sends, answers } = watched();
  sends('HEAD /v1/categories HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n');
  answers('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\n\r\nto the end');
  connection.close();
  const bodies = linesOf('response', lines).map(({ body }) => body.bytes);
  assert.deepEqual(bodies, [0, 10]);
  assert.equal(watched().sends('\u0016\u0003\u0001 no HTTP at all\r\n\r\n'), false);
});

test('an offer of HTTP/2 is read as the request that it is, with its body, until the service accepts it', () => {
  const { lines, sends, answers } = watched();
  const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n';
  const head = `Host: a\r\nAuthorization: Bearer key-of-mine\r\n${offer}`;
  const chunked = `POST /v1/categories HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nc\r\n{"name":"a"}\r\n0\r\n\r\n`;
  const sized = `POST /v1/categories HTTP/1.1\r\n${head}Content-Length: 12\r\n\r\n{"name":"b"}`;
  const list = `GET /v1/categories HTTP/1.1\r\n${head}\r\n`;
  assert.ok(sends(list + chunked + sized + list));
  assert.ok(answers(OK.repeat(3)));
  assert.ok(
    answers('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n') === false,
  );
  assert.equal(sends('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), false);
  const arrivals = linesOf('arrival', lines);
  assert.equal(arrivals.map(({ method }) => method).join(), 'GET,POST,POST,GET');
  assert.ok(arrivals.every(({ headers }) => headers.some(([name]) => name === 'Upgrade')));
  const responses = linesOf('response', lines);
  const shown = responses.map(({ status, requestBody }) => `${status} ${requestBody?.bytes ?? 0}`);
  assert.deepEqual(shown, ['200 0', '200 12', '200 12', '101 0']);
});

test('HTTP/2 from the first byte is no request', () => {
  const { lines, sends } = watched();
  assert.equal(sends('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), false);
  assert.deepEqual(lines, []);
});
