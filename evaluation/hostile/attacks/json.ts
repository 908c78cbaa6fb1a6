import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { answerText } from '../../testing/suites/raw-server.ts';
import type { Attack, AttackedRun } from '../attack.ts';

const JSON_TYPE = 'Content-Type: application/json';

/** Answers every request with 200 and this body. */
const always =
  (body: (n: number) => string, afterwards?: (run: AttackedRun) => void): Attack['stage'] =>
  async (stage) => ({
    target: (await stage.raw((socket, _, n) => socket.write(answerText('200 OK', [JSON_TYPE], body(n)))))
      .baseUrl.href,
    ...(afterwards === undefined ? {} : { afterwards }),
  });

const compressed: Attack['stage'] = async (stage) => {
  const zeros = gzipSync(Buffer.alloc(256 * 1024 * 1024));
  const head = `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nContent-Encoding: gzip\r\nContent-Length: ${zeros.length}\r\n\r\n`;
  const { baseUrl } = await stage.raw((socket) => {
    socket.write(head);
    socket.write(zeros);
  });
  return {
    target: baseUrl.href,
    afterwards: ({ files }) => {
      const kept = [...(files.get('journal.ndjson') ?? '').matchAll(/"encoding":"base64","bytes":(\d+)/g)];
      assert.ok(kept.length > 20);
      for (const [, bytes] of kept)
        assert.equal(Number(bytes), zeros.length, 'kept as it came, unpacked nowhere');
    },
  };
};

const VERDICT = 'a verdict; what is no JSON or too deep to read is told, not judged as if it were';

/** Bodies that are made to be hard to read. */
export const json: readonly Attack[] = [
  {
    id: 'deep-json',
    does: 'nests 100,000 arrays',
    ends: VERDICT,
    codes: [1, 3],
    stage: always(() => '['.repeat(100_000) + ']'.repeat(100_000)),
  },
  {
    id: 'wide-json',
    long: true,
    megabytes: 2000,
    cpuSeconds: 60,
    does: 'sends a million numbers, different ones in every answer',
    ends: VERDICT,
    codes: [1, 3],
    stage: always((n) => `[${n}${',1'.repeat(990_000)}]`),
  },
  {
    id: 'huge-numbers',
    does: 'sends 1e400, -1e-400 and numbers of 100,000 digits as ids and statuses',
    ends: VERDICT,
    codes: [1, 3],
    stage: always(
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
    does: 'begins every body with four megabytes of white space, more than is kept',
    ends: 'a verdict that judges no body of which only an excerpt was kept',
    codes: [1, 3],
    stage: always(
      () => `${' '.repeat(4 * 1024 * 1024)}[]`,
      ({ files }) => assert.doesNotMatch(files.get('report.json') ?? '', /no list|JSON array, but/),
    ),
  },
  {
    id: 'prototype-keys',
    does: 'names fields and headers `__proto__`, `constructor` and `toString`',
    ends: VERDICT,
    codes: [1, 3],
    stage: async (stage) => {
      const poison =
        '{"__proto__":{"status":401,"verdict":"pass","isAdmin":true},"constructor":{"prototype":{"verdict":"pass"}},"toString":1,"hasOwnProperty":null,"id":1,"name":"a"}';
      const headers = [JSON_TYPE, '__proto__: 1', 'constructor: 2', 'toString: 3'];
      const { baseUrl } = await stage.raw((socket, _, n) =>
        socket.write(answerText('200 OK', headers, n % 2 === 0 ? poison : `[${poison}]`)),
      );
      return { target: baseUrl.href };
    },
  },
  {
    id: 'gzip-bomb',
    does: 'answers in gzip although identity was asked for: 256 MB in 256 KB',
    ends: 'a verdict over the bytes as they came; nothing is unpacked',
    codes: [1, 3],
    stage: compressed,
  },
];
