import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { answerText } from '../../testing/suites/raw-server.ts';
import type { Attack, AttackedRun } from '../attack.ts';
import { raw } from '../attack.ts';

const specification = readFileSync(new URL('../../../spec/openapi.yaml', import.meta.url), 'utf8');
const unauthorized = answerText(
  '401 Unauthorized',
  ['Content-Type: application/json', 'WWW-Authenticate: Bearer'],
  '{"code":"unauthorized","message":"Who are you?","status":401}',
);

/** Answers requests with any key with an empty list, so that the run comes to its end. */
const answerTo = (request: string): string =>
  /^authorization: bearer /im.test(request)
    ? answerText('200 OK', ['Content-Type: application/json'], '[]')
    : unauthorized;

/** A target that answers every other request with 401 or an empty list, and publishes this document. */
const publishing =
  (document: (otherOrigin: string) => string, assertAfter?: (run: AttackedRun) => void): Attack['start'] =>
  async (t) => {
    const other = await raw(t, (socket) => socket.write(answerText('200 OK', [], '{}')));
    const { baseUrl } = await raw(t, (socket, request) =>
      socket.write(
        request.startsWith('GET /openapi ')
          ? answerText('200 OK', ['Content-Type: application/yaml'], document(other.baseUrl.origin))
          : answerTo(request),
      ),
    );
    return {
      target: baseUrl.href,
      args: ['--openapi', `${baseUrl.origin}/openapi`],
      assertAfter: (run) => {
        assert.equal(other.connections(), 0, 'no reference was followed');
        assertAfter?.(run);
      },
    };
  };

const bomb = [
  'openapi: 3.0.3',
  'a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]',
  ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`),
].join('\n');

/** A document with this many paths, each of which refers to `to(i)`. */
const referring = (count: number, to: (i: number) => string): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'x', version: '1.0.0' },
    paths: Object.fromEntries(Array.from({ length: count }, (_, i) => [`/p${i}`, { $ref: to(i) }])),
  });

/** Each reference passes through forty others, and each of those through forty more. */
const exponentialReferences = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'x', version: '1.0.0' },
  paths: { '/categories': { $ref: `#${'/x-0/x'.repeat(40)}` } },
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`x-${i}`, { x: { $ref: `#${`/x-${i + 1}/x`.repeat(40)}` } }]),
  ),
});

/** The most further documents that are requested because a description refers to them. */
const FURTHER_DOCUMENTS = 50;

/** A target that publishes these documents, by their paths, and answers every other request with 401 or an empty list. */
const publishingMany: (documents: (path: string) => string) => Attack['start'] = (documents) => async (t) => {
  let requested = 0;
  const { baseUrl } = await raw(t, (socket, request) => {
    const path = /^GET (\/d\S*) /.exec(request)?.[1];
    if (path !== undefined) requested += 1;
    socket.write(path === undefined ? answerTo(request) : answerText('200 OK', [], documents(path)));
  });
  return {
    target: baseUrl.href,
    args: ['--openapi', `${baseUrl.origin}/d`],
    assertAfter: () => assert.ok(requested <= FURTHER_DOCUMENTS + 1, `${requested} documents were requested`),
  };
};

/** The most bytes of a document that are read. */
const BOUND = 5 * 1024 * 1024;
const VERDICT = 'a verdict; VER-2 names the defect of the document';

/** OpenAPI documents that are expensive or dangerous to read. */
export const openapiAttacks: readonly Attack[] = [
  {
    id: 'openapi-references',
    description: 'publishes an OpenAPI document whose `$ref`s point to a local file and to another origin',
    expected: 'a verdict; no reference is followed',
    exitCodes: [1],
    start: publishing(
      (origin) =>
        specification
          .replaceAll('"#/components/schemas/Category"', '"file:///etc/passwd"')
          .replaceAll('"#/components/schemas/Error"', `"${origin}/schemas.yaml#/Error"`),
      ({ files }) => {
        const journal = files.get('journal.ndjson') ?? '';
        assert.ok(journal.includes('file:///etc/passwd') && journal.includes('/schemas.yaml#/Error'));
        assert.ok(![...files.values()].some((text) => text.includes('root:')));
      },
    ),
  },
  {
    id: 'openapi-circle',
    description: 'publishes an OpenAPI document whose Path Items refer to one another in a circle',
    expected: VERDICT,
    exitCodes: [1],
    start: publishing(() => referring(2, (i) => `#/paths/~1p${1 - i}`)),
  },
  {
    id: 'openapi-exponential',
    description: 'publishes an OpenAPI document of nested references, which would take 40^60 steps to follow',
    expected: VERDICT,
    exitCodes: [1],
    start: publishing(() => exponentialReferences),
  },
  {
    id: 'openapi-chain',
    description: 'publishes an OpenAPI document with a chain of 100,000 references',
    expected: VERDICT,
    exitCodes: [1],
    start: publishing(() => referring(100_000, (i) => `#/paths/~1p${i + 1}`)),
  },
  {
    id: 'openapi-many',
    description: 'publishes an OpenAPI document that refers to 100,000 others',
    expected: `a verdict; ${FURTHER_DOCUMENTS} of them are requested`,
    exitCodes: [1],
    start: publishingMany((path) => (path === '/d' ? referring(100_000, (i) => `/d${i}`) : '{}')),
  },
  {
    id: 'openapi-endless',
    description: 'publishes OpenAPI documents without end, each of which refers to the next',
    expected: `a verdict; ${FURTHER_DOCUMENTS} of them are requested`,
    exitCodes: [1],
    start: publishingMany((path) => referring(1, () => `/d${Number(path.slice(2)) + 1}`)),
  },
  {
    id: 'openapi-parts',
    description: 'publishes an OpenAPI document that refers to fifty others of 5 MiB each',
    expected: 'a verdict; at most 1 MiB of them is read',
    exitCodes: [1],
    start: publishingMany((path) =>
      path === '/d' ? referring(FURTHER_DOCUMENTS, (i) => `/d${i}`) : `[${' '.repeat(BOUND)}]`,
    ),
  },
  {
    id: 'openapi-bomb',
    description: 'publishes a YAML document whose aliases expand to 9^31 values',
    expected: VERDICT,
    exitCodes: [1],
    start: publishing(() => bomb),
  },
  {
    id: 'openapi-deep',
    description: 'publishes an OpenAPI document that is nested 100,000 levels deep',
    expected: 'a verdict; VER-2 stays inconclusive',
    exitCodes: [1],
    start: publishing(() => `{"openapi":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`),
  },
  {
    id: 'openapi-wide',
    description: 'publishes an OpenAPI document of a million lines of YAML',
    expected: 'a verdict; VER-2 stays inconclusive',
    exitCodes: [1],
    start: publishing(() => `openapi: 3.0.3\n${'- 1\n'.repeat(BOUND / 4 - 10)}`),
  },
  {
    id: 'openapi-huge',
    description: 'publishes an OpenAPI document without end',
    expected: 'the run ends before its first request, and names the bound',
    exitCodes: [2],
    lastLine: /is too large/,
    start: publishing(() => ' '.repeat(2 * BOUND)),
  },
];
