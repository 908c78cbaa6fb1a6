import assert from 'node:assert/strict';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { REPORTS } from '../../../reports/run-folder.ts';
import { answerText } from '../../testing/suites/raw-server.ts';
import type { Attack, AttackedRun, Attacks } from '../attack.ts';
import { raw, serving } from '../attack.ts';

/** Texts that would be harmful where they are shown without escaping. */
const HARMFUL: readonly string[] = [
  '\u0000\u0007\u001b[2J\u001b[31mPASS\u001b]0;owned\u0007\u009b2J',
  '\u202e\u2066\u200b\u2028\u{e0041}\ufeff',
  '<script>alert(1)</script><img src=x onerror=alert(2)>\'"--><svg/onload=alert(3)>',
  ']]></failure></testcase><testcase name="forged"/><![CDATA[',
  '[click](javascript:alert(4)) ![x](http://evil.example/x.png) @everyone #1 `</code>` | a |\n# Forged',
  '\n::error title=forged::forged\n::add-mask::x\r\n##vso[task.complete]',
  '=HYPERLINK("http://evil.example")\t+1-1',
  "../../../etc/passwd%00$(touch /tmp/owned)`touch /tmp/owned`;'",
];

/** Harmful characters, and the outputs in which they must not occur. */
const FORBIDDEN: readonly (readonly [what: string, outputs: RegExp, characters: RegExp])[] = [
  ['a control character', /./, /[^\P{Cc}\t\n\r\x80-\x9f]/u],
  ['an invisible character', /^(?!journal)/, /[\x80-\x9f\u200b\u2028\u202e\u2066\ufeff]|\u{e0041}/u],
  ['markup', /html$|xml$|md$/, /<script>alert|<img src=x|<svg\/onload|<testcase name="forged"/],
  ['a Markdown construct', /md$/, /\]\(javascript:|!\[x\]|^# Forged/m],
  ['a command to a build server', /^standard|md$/, /^(?:::add-mask|::error title=forged|##vso)/m],
];

function assertEscaped({ out, err, files }: AttackedRun): void {
  const allOutputs = [['standard output', out], ['standard error', err], ...files] as const;
  // Standard output and error, the journal and every report.
  assert.equal(allOutputs.length, 3 + REPORTS.length);
  for (const [name, text] of allOutputs) {
    for (const [what, outputs, characters] of FORBIDDEN) {
      if (!outputs.test(name)) continue;
      const found = characters.exec(text);
      assert.equal(
        found,
        null,
        `${what} in ${name}: ${JSON.stringify(text.slice((found?.index ?? 0) - 40, (found?.index ?? 0) + 40))}`,
      );
    }
  }
  const report = files.get('report.html') ?? '';
  assert.ok(report.includes('&lt;script&gt;alert(1)'), 'the text is shown as text');
}

/** Sends the harmful texts wherever a report may quote them: ids, names, codes, messages, headers. */
const harmfulText: Attack = async (t) => {
  const { baseUrl } = await raw(t, (socket, _, n) => {
    const harmful = HARMFUL[n % HARMFUL.length] ?? '';
    const line = harmful.replace(/\p{Cc}/gu, ' ').replace(/[^\x20-\xff]/g, '?');
    const headers = [
      `Content-Type: application/json; ${Buffer.from(line).toString('latin1')}`,
      ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'Retry-After', 'WWW-Authenticate'].map(
        (name) => `${name}: ${line}`,
      ),
    ];
    const fields = ['id', 'name', 'description', 'code', 'message', 'status', harmful];
    const item = Object.fromEntries(fields.map((name) => [name, harmful]));
    const body = n % 3 === 0 ? JSON.stringify(item) : JSON.stringify([item]);
    socket.write(answerText(n % 3 === 0 ? '400 Bad' : '200 OK', headers, n % 5 === 0 ? harmful : body));
  });
  return { target: baseUrl.href, env: { GITHUB_ACTIONS: 'true' }, assertAfter: assertEscaped };
};

const JSON_TYPE = 'Content-Type: application/json';

const POISON =
  '{"__proto__":{"status":401,"verdict":"pass","isAdmin":true},"constructor":{"prototype":{"verdict":"pass"}},"toString":1,"hasOwnProperty":null,"id":1,"name":"a"}';

/** Answers every request with 200 and this body. */
const always = (
  body: (n: number) => string,
  assertAfter?: (run: AttackedRun) => void,
  headers: readonly string[] = [],
): Attack =>
  serving(
    (socket, _, n) => socket.write(answerText('200 OK', [JSON_TYPE, ...headers], body(n))),
    assertAfter,
  );

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

const compressed: Attack = async (t) => {
  const sent = bombs();
  const { baseUrl } = await raw(t, (socket, _, n) => {
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

/** Bodies that are expensive or dangerous to parse, and texts that are harmful to show. */
export const bodyAttacks: Attacks = {
  'deep-json': always(() => '['.repeat(100_000) + ']'.repeat(100_000)),
  'wide-json': always((n) => `[${n}${',1'.repeat(990_000)}]`),
  'huge-numbers': always(
    (n) =>
      [
        `[{"id":1e400,"name":"a"},{"id":-1e-400,"name":"b"}]`,
        `{"id":${'9'.repeat(100_000)},"name":"c"}`,
        `{"code":"a","message":"b","status":1e${'9'.repeat(100_000)}}`,
        `{"id":0.${'0'.repeat(100_000)}1,"name":"d"}`,
      ].at(n % 4) ?? '',
  ),
  'white-space': always(
    () => `${' '.repeat(4 * 1024 * 1024)}[]`,
    ({ files }) => assert.doesNotMatch(files.get('report.json') ?? '', /no list|JSON array, but/),
  ),
  'prototype-keys': always((n) => (n % 2 === 0 ? POISON : `[${POISON}]`), undefined, [
    '__proto__: 1',
    'constructor: 2',
    'toString: 3',
  ]),
  'compression-bomb': compressed,
  'harmful-text': harmfulText,
};
