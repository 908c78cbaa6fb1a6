import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { answerText } from '../../testing/suites/raw-server.ts';
import type { Attack, AttackedRun, Attacks } from '../attack.ts';
import { ending, raw } from '../attack.ts';

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

/** The most further documents that are requested because a description refers to them. */
const FURTHER_DOCUMENTS = 50;

/** A target that publishes these documents, by their paths, and answers every other request with 401 or an empty list. */
const publishing =
  (
    documents: (path: string, otherOrigin: string) => string,
    assertAfter?: (run: AttackedRun) => void,
  ): Attack =>
  async (t) => {
    let requested = 0;
    const other = await raw(t, (socket) => socket.write(answerText('200 OK', [], '{}')));
    const { baseUrl } = await raw(t, (socket, request) => {
      const path = /^GET (\/d\S*) /.exec(request)?.[1];
      if (path === undefined) return socket.write(answerTo(request));
      requested += 1;
      const document = documents(path, other.baseUrl.origin);
      return socket.write(answerText('200 OK', ['Content-Type: application/yaml'], document));
    });
    return {
      target: baseUrl.href,
      args: ['--openapi', `${baseUrl.origin}/d`],
      assertAfter: (run) => {
        assert.equal(other.connections(), 0, 'no reference to another origin was followed');
        assert.ok(requested <= FURTHER_DOCUMENTS + 1, `${requested} documents were requested`);
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

/** The most bytes of a document that are read. */
const BOUND = 5 * 1024 * 1024;

/** OpenAPI documents that are expensive or dangerous to read. */
export const openapiAttacks: Attacks = {
  'openapi-references': publishing(
    (_, origin) =>
      specification
        .replaceAll('"#/components/schemas/Category"', '"file:///etc/passwd"')
        .replaceAll('"#/components/schemas/Error"', `"${origin}/schemas.yaml#/Error"`),
    ({ files }) => {
      const journal = files.get('journal.ndjson') ?? '';
      assert.ok(journal.includes('file:///etc/passwd') && journal.includes('/schemas.yaml#/Error'));
      assert.ok(![...files.values()].some((text) => text.includes('root:')));
    },
  ),
  'openapi-circle': publishing(() => referring(2, (i) => `#/paths/~1p${1 - i}`)),
  'openapi-exponential': publishing(() => exponentialReferences),
  'openapi-chain': publishing(() => referring(100_000, (i) => `#/paths/~1p${i + 1}`)),
  'openapi-many': publishing((path) => (path === '/d' ? referring(100_000, (i) => `/d${i}`) : '{}')),
  'openapi-endless': publishing((path) => referring(1, () => `/d${Number(path.slice(2)) + 1}`)),
  'openapi-parts': publishing((path) =>
    path === '/d' ? referring(FURTHER_DOCUMENTS, (i) => `/d${i}`) : `[${' '.repeat(BOUND)}]`,
  ),
  'openapi-bomb': publishing(() => bomb),
  'openapi-deep': publishing(() => `{"openapi":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`),
  'openapi-wide': publishing(() => `openapi: 3.0.3\n${'- 1\n'.repeat(BOUND / 4 - 10)}`),
  'openapi-huge': ending(
    /is too large/,
    publishing(() => ' '.repeat(2 * BOUND)),
  ),
};
