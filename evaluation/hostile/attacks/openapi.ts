import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { answerText } from '../../testing/suites/raw-server.ts';
import type { Attack, AttackedRun } from '../attack.ts';

const specification = readFileSync(new URL('../../../spec/openapi.yaml', import.meta.url), 'utf8');
const unauthorized = answerText(
  '401 Unauthorized',
  ['Content-Type: application/json', 'WWW-Authenticate: Bearer'],
  '{"code":"unauthorized","message":"Who are you?","status":401}',
);

/** A target that refuses everybody and publishes this document. */
const publishing =
  (document: (elsewhere: string) => string, afterwards?: (run: AttackedRun) => void): Attack['stage'] =>
  async (stage) => {
    const other = await stage.raw((socket) => socket.write(answerText('200 OK', [], '{}')));
    const { baseUrl } = await stage.raw((socket, request) =>
      socket.write(
        request.startsWith('GET /openapi ')
          ? answerText('200 OK', ['Content-Type: application/yaml'], document(other.baseUrl.origin))
          : unauthorized,
      ),
    );
    return {
      target: baseUrl.href,
      more: ['--openapi', `${baseUrl.origin}/openapi`],
      afterwards: (run) => {
        assert.equal(other.connections(), 0, 'no reference was followed');
        afterwards?.(run);
      },
    };
  };

const bomb = [
  'openapi: 3.0.3',
  'a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]',
  ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`),
].join('\n');

/** Paths, of which each refers to whatever `to` says. */
const referring = (count: number, to: (i: number) => string): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'x', version: '1.0.0' },
    paths: Object.fromEntries(Array.from({ length: count }, (_, i) => [`/p${i}`, { $ref: to(i) }])),
  });

/** Each reference passes through forty others, and each of those through forty more. */
const laughing = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'x', version: '1.0.0' },
  paths: { '/categories': { $ref: `#${'/x-0/x'.repeat(40)}` } },
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`x-${i}`, { x: { $ref: `#${`/x-${i + 1}/x`.repeat(40)}` } }]),
  ),
});

/** The most documents that are asked for because a description refers to them. */
const PARTS = 50;

/** A target that answers each address of an interface description by another one of these documents. */
const publishingMany: (documents: (path: string) => string) => Attack['stage'] =
  (documents) => async (stage) => {
    let asked = 0;
    const { baseUrl } = await stage.raw((socket, request) => {
      const path = /^GET (\/d\S*) /.exec(request)?.[1];
      if (path !== undefined) asked += 1;
      socket.write(path === undefined ? unauthorized : answerText('200 OK', [], documents(path)));
    });
    return {
      target: baseUrl.href,
      more: ['--openapi', `${baseUrl.origin}/d`],
      afterwards: () => assert.ok(asked <= PARTS + 1, `${asked} documents were asked for`),
    };
  };

/** The most that is read of a document, in bytes. */
const BOUND = 5 * 1024 * 1024;
const VERDICT = 'a verdict; VER-2 says what is wrong with the document';

/** Interface descriptions that are made to be read at somebody's expense. */
export const openapi: readonly Attack[] = [
  {
    id: 'openapi-references',
    does: 'publishes an OpenAPI document whose `$ref`s point to a file of the machine and to another origin',
    ends: 'a verdict; no reference is followed',
    codes: [1],
    stage: publishing(
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
    does: 'publishes an OpenAPI document whose Path Items refer to one another in a circle',
    ends: VERDICT,
    codes: [1],
    stage: publishing(() => referring(2, (i) => `#/paths/~1p${1 - i}`)),
  },
  {
    id: 'openapi-laughs',
    does: 'publishes an OpenAPI document of references through references, which would take 40^60 steps to follow',
    ends: VERDICT,
    codes: [1],
    stage: publishing(() => laughing),
  },
  {
    id: 'openapi-chain',
    does: 'publishes an OpenAPI document of 100,000 references, each of which leads to the next',
    ends: VERDICT,
    codes: [1],
    stage: publishing(() => referring(100_000, (i) => `#/paths/~1p${i + 1}`)),
  },
  {
    id: 'openapi-many',
    does: 'publishes an OpenAPI document that refers to 100,000 others',
    ends: `a verdict; ${PARTS} of them are asked for`,
    codes: [1],
    stage: publishingMany((path) => (path === '/d' ? referring(100_000, (i) => `/d${i}`) : '{}')),
  },
  {
    id: 'openapi-endless',
    does: 'publishes OpenAPI documents of which each refers to a new one',
    ends: `a verdict; ${PARTS} of them are asked for`,
    codes: [1],
    stage: publishingMany((path) => referring(1, () => `/d${Number(path.slice(2)) + 1}`)),
  },
  {
    id: 'openapi-parts',
    does: 'publishes an OpenAPI document that refers to fifty others of five MiB each',
    ends: 'a verdict; 1 MiB of them is read',
    codes: [1],
    stage: publishingMany((path) =>
      path === '/d' ? referring(PARTS, (i) => `/d${i}`) : `[${' '.repeat(BOUND)}]`,
    ),
  },
  {
    id: 'openapi-bomb',
    does: 'publishes a YAML document of aliases that unfolds to 9^31 values',
    ends: VERDICT,
    codes: [1],
    stage: publishing(() => bomb),
  },
  {
    id: 'openapi-deep',
    does: 'publishes an OpenAPI document that is nested 100,000 levels deep',
    ends: 'a verdict; VER-2 stays inconclusive',
    codes: [1],
    stage: publishing(() => `{"openapi":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`),
  },
  {
    id: 'openapi-wide',
    does: 'publishes an OpenAPI document of a million lines of YAML',
    ends: 'a verdict; VER-2 stays inconclusive',
    codes: [1],
    stage: publishing(() => `openapi: 3.0.3\n${'- 1\n'.repeat(BOUND / 4 - 10)}`),
  },
  {
    id: 'openapi-huge',
    does: 'publishes an OpenAPI document without end',
    ends: 'the run ends before its first request, and says the bound',
    codes: [2],
    says: /is larger than 5 MiB/,
    stage: publishing(() => ' '.repeat(2 * BOUND)),
  },
];
