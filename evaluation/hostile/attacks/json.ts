import assert from 'node:assert/strict';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { answerText } from '../../testing/suites/raw-server.ts';
import type { Attack, AttackedRun } from '../attack.ts';

const JSON_TYPE = 'Content-Type: application/json';

/** Answers every request with 200 and this body. */
const always =
  (body: (n: number) => string, assertAfter?: (run: AttackedRun) => void): Attack['start'] =>
  async (setup) => ({
    target: (await setup.raw((socket, _, n) => socket.write(answerText('200 OK', [JSON_TYPE], body(n)))))
      .baseUrl.href,
    ...(assertAfter === undefined ? {} : { assertAfter }),
  });

const BOMB_BYTES = 256 * 1024 * 1024;

/** Small bodies that unpack to a quarter of a gigabyte or, in several members or several codings, to gigabytes. */
function bombs(): readonly (readonly [codings: string, body: Uint8Array])[] {
  const zeros = Buffer.alloc(BOMB_BYTES);
  const gzipped = gzipSync(zeros);
  const members = Buffer.concat(Array<Buffer>(16).fill(gzipped));
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  return [
    ['gzip', gzipped],
    ['gzip', members],
    ['gzip, gzip', gzipSync(members)],
    ['deflate', deflateSync(zeros)],
    ['br', brotliCompressSync(zeros, quick)],
    [Array(5000).fill('gzip').join(), gzipped],
  ];
}

const compressed: Attack['start'] = async (setup) => {
  const sent = bombs();
  const { baseUrl } = await setup.raw((socket, _, n) => {
    const [codings = '', body = ''] = sent[n % sent.length] ?? [];
    socket.write(
      `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nContent-Encoding: ${codings}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
  });
  return {
    target: baseUrl.href,
    assertAfter: ({ files }) => {
      const bodies = [...(files.get('journal.ndjson') ?? '').matchAll(/"encoding":"base64","bytes":(\d+)/g)];
      assert.ok(bodies.length > 20);
      for (const [, bytes] of bodies)
        assert.ok(
          sent.some(([, { length }]) => length === Number(bytes)),
          `${bytes} bytes were not sent`,
        );
    },
  };
};

const VERDICT = 'a verdict; a body that is not JSON, or exceeds the bounds for JSON, is reported as such';

/** Bodies that are expensive or dangerous to parse. */
export const jsonAttacks: readonly Attack[] = [
  {
    id: 'deep-json',
    description: 'sends 100,000 nested arrays',
    expected: VERDICT,
    exitCodes: [1, 3],
    start: always(() => '['.repeat(100_000) + ']'.repeat(100_000)),
  },
  {
    id: 'wide-json',
    slow: true,
    megabytes: 1200,
    cpuSeconds: 40,
    description: 'sends an array of a million numbers, which differs in every response',
    expected: VERDICT,
    exitCodes: [1, 3],
    start: always((n) => `[${n}${',1'.repeat(990_000)}]`),
  },
  {
    id: 'huge-numbers',
    description: 'sends 1e400, -1e-400 and numbers of 100,000 digits as ids and status codes',
    expected: VERDICT,
    exitCodes: [1, 3],
    start: always(
      (n) =>
        [
          `[{"id":1e400,"name":"a"},{"id":-1e-400,"name":"b"}]`,
          `{"id":${'9'.repeat(100_000)},"name":"c"}`,
          `{"code":"a","message":"b","status":1e${'9'.repeat(100_000)}}`,
          `{"id":0.${'0'.repeat(100_000)}1,"name":"d"}`,
        ].at(n % 4) ?? '',
    ),
  },
  {
    id: 'white-space',
    megabytes: 700,
    cpuSeconds: 60,
    description: 'begins every body with four megabytes of white space, more than the journal stores',
    expected: 'a verdict; a body of which the journal has only an excerpt is not judged',
    exitCodes: [1, 3],
    start: always(
      () => `${' '.repeat(4 * 1024 * 1024)}[]`,
      ({ files }) => assert.doesNotMatch(files.get('report.json') ?? '', /no list|JSON array, but/),
    ),
  },
  {
    id: 'prototype-keys',
    description: 'names fields and headers `__proto__`, `constructor` and `toString`',
    expected: VERDICT,
    exitCodes: [1, 3],
    start: async (setup) => {
      const poison =
        '{"__proto__":{"status":401,"verdict":"pass","isAdmin":true},"constructor":{"prototype":{"verdict":"pass"}},"toString":1,"hasOwnProperty":null,"id":1,"name":"a"}';
      const headers = [JSON_TYPE, '__proto__: 1', 'constructor: 2', 'toString: 3'];
      const { baseUrl } = await setup.raw((socket, _, n) =>
        socket.write(answerText('200 OK', headers, n % 2 === 0 ? poison : `[${poison}]`)),
      );
      return { target: baseUrl.href };
    },
  },
  {
    id: 'compression-bomb',
    description:
      'answers with gzip, deflate and br although the request accepts only identity: up to 4 GB in a few kilobytes, and 5,000 codings',
    expected:
      'a verdict; at most 4 MiB and five codings are unpacked, and a larger body is recorded as received',
    exitCodes: [1, 3],
    start: compressed,
  },
];
