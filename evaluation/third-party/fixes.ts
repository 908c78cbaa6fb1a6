import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RequirementId } from '../../spec/register.ts';
import type { CauseId } from '../../suites/service/judge/causes/causes.ts';
import { CAUSES } from '../../suites/service/judge/causes/causes.ts';
import type { Framework } from '../../suites/service/judge/causes/frameworks.ts';
import type { AppSettings, ParsedBody, RunningApp } from './apps/app.ts';
import { NOVICE, PARTS } from './apps/app.ts';
import type { ExpressParts } from './apps/express.ts';
import { startExpress } from './apps/express.ts';
import { startFastify } from './apps/fastify.ts';
import { startHono } from './apps/hono.ts';
import type { Program } from './service.ts';
import { startService } from './service.ts';

const FOLDER = fileURLToPath(new URL('apps', import.meta.url));

/** Whether Python has Flask, and whether there is Go. */
const hasFlask = (): boolean => spawnSync('python3', ['-c', 'import flask']).status === 0;
const hasGo = (): boolean => spawnSync('go', ['version']).status === 0;

/** An app that reads its settings from the environment, as services do. Its fault is a cause, or nothing. */
const startedBy =
  (...start: Program['start']) =>
  async ({ keys, perMinute, windowSeconds }: AppSettings, broken = ''): Promise<RunningApp> => {
    const settings = { KEYS: keys.join(), PER_MINUTE: String(perMinute) };
    const program = { folder: FOLDER, start };
    const { baseUrl, stop } = await startService(program, { broken, minuteSeconds: windowSeconds, settings });
    return { baseUrl, close: stop };
  };

const startFlask = startedBy('python3', 'flask-app.py');
const startGo = startedBy('go', 'run', 'net-http-app.go');

type Start = (settings: AppSettings) => Promise<RunningApp>;

/** Every app, conforming, and whether this machine can run it. */
export const conformingApps: Readonly<Record<string, { start: Start; isAvailable: () => boolean }>> = {
  Express: { start: startExpress, isAvailable: () => true },
  Fastify: { start: startFastify, isAvailable: () => true },
  Hono: { start: startHono, isAvailable: () => true },
  Flask: { start: startFlask, isAvailable: hasFlask },
  'Go net/http': { start: startGo, isAvailable: hasGo },
};

/** An app with a fault. The same app with the fix is the conforming one. */
export interface Pair {
  readonly app: string;
  readonly cause: CauseId;
  /** Whose fix the report has to choose: the one that the conforming app follows. */
  readonly proves: Framework | 'inGeneral';
  /** What is violated, at least, and what else follows from the cause. */
  readonly fails: readonly RequirementId[];
  readonly start: Start;
}

type Row<Change> = readonly [cause: CauseId, fails: string, changed: Change];

/** Pairs of an app, whose rows state how it is changed. A report has the fix of its framework, and that of any where there is none or the app shows none. */
const pairsOf = <Change>(
  app: Framework,
  start: (settings: AppSettings, changed: Change) => Promise<RunningApp>,
  rows: readonly Row<NoInfer<Change>>[],
  isNamed = true,
): readonly Pair[] =>
  rows.map(([cause, fails, changed]) => ({
    app,
    cause,
    proves: isNamed && CAUSES[cause][app] !== undefined ? app : 'inGeneral',
    fails: fails.split(' ') as RequirementId[],
    start: (settings) => start(settings, changed),
  }));

const PATH = '/v1/categories';
const REDIRECTED = 'LIST-1 CREATE-1 CREATE-2 CREATE-4 CREATE-5 CREATE-6 CREATE-7 CREATE-8 CREATE-9 MEDIA-3';

/** A handler that uses a field of a body, whatever it is. */
const trimming = (body: ParsedBody): boolean =>
  (body as { name: string }).name.trim() !== '' && PARTS.isValid(body);

/** A handler that reads the fields of a body, whether there is one or not. */
const destructured = (body: unknown): ParsedBody => {
  const { name, description } = body as NonNullable<ParsedBody>;
  return { name, description };
};

const HTML_ERROR = '<html><title>401</title></html>';

/** Takes the headers of the limit from a response. */
function withoutRate(response: Parameters<ExpressParts['reject']>[0]): void {
  for (const name of ['Limit', 'Remaining', 'Reset']) response.removeHeader(`X-RateLimit-${name}`);
}

/** Faults for which there is a fix in Express, and one in any framework. */
const inEither: readonly Row<Partial<ExpressParts>>[] = [
  ['invalid-body-accepted', 'CREATE-5 CREATE-6 CAT-2 CAT-3 LIST-2', { ...NOVICE.withoutCheck }],
  ['invalid-body-crash', 'CREATE-4 CREATE-5 CREATE-7 CREATE-8 HTTP-4', { isValid: trimming }],
  ['absent-body-crash', 'CREATE-8 HTTP-4', { bodyOf: ({ body }) => destructured(body) }],
  ['created-status', 'CREATE-1 CREATE-2 MEDIA-3', NOVICE.ok],
  ['adopted-id', 'CREATE-12 CREATE-11', NOVICE.copied],
  ['list-envelope', 'LIST-2', NOVICE.envelope],
  ['text-error', 'ERR-1 ERR-2 MEDIA-1', NOVICE.text],
  ['own-error-fields', 'ERR-1 ERR-2', NOVICE.ownFields],
  ['open-access', 'AUTH-1 AUTH-2 AUTH-3 AUTH-4 AUTH-5 AUTH-6', { order: ['limit', 'parse', 'named'] }],
  ['scheme-not-required', 'AUTH-4', NOVICE.removedScheme],
  ['unchecked-operations', 'AUTH-5', { order: ['limit', 'named', 'check', 'parse'] }],
  ['unauthorized-crash', 'AUTH-1 AUTH-4 AUTH-5 AUTH-6 HTTP-4', NOVICE.throwing],
  ['rate-limit-headers', 'RATE-1 RATE-2 RATE-3', { limiter: { legacyHeaders: false } }],
  ['headers-of-errors', 'RATE-3', { order: ['check', 'limit', 'parse', 'named'] }],
  [
    'draft-headers',
    'RATE-1 RATE-2 RATE-3',
    { limiter: { legacyHeaders: false, standardHeaders: 'draft-8' } },
  ],
  ['limited-body', 'MEDIA-2', { limiter: {} }],
];

const express = pairsOf('Express', startExpress, [
  ...inEither,
  ['html-error', 'MEDIA-1 ERR-1', { onError: undefined }],
  ['unchecked-paths', 'AUTH-1', { isChecked: ({ path }) => path === PATH || !/categories/i.test(path) }],
  ['validated-before-key', 'AUTH-6', { order: ['limit', 'parse', 'validate', 'check', 'named'] }],
]);

/** What shows no framework gets the fixes of any. */
const unnamed = pairsOf(
  'Express',
  (settings, changed: Partial<ExpressParts>) => startExpress(settings, { ...changed, isNamed: false }),
  [
    ...inEither,
    ['invalid-body-status', 'CREATE-4 CREATE-5 CREATE-6 CREATE-7 CREATE-8', NOVICE.unprocessable],
    ['category-fields', 'CAT-1 CREATE-3 LIST-2', NOVICE.idAsText],
    ['html-error', 'ERR-2 MEDIA-1', { unauthorized: { status: 401, body: HTML_ERROR } }],
    [
      'key-elsewhere',
      'AUTH-4',
      { credentials: (request) => request.get('Authorization') ?? `Bearer ${request.query['api_key']}` },
    ],
    ['loose-key', 'AUTH-3', NOVICE.prefix],
    ['unauthorized-status', 'AUTH-1 AUTH-2 AUTH-3 AUTH-4 AUTH-5 AUTH-6', NOVICE.forbidden],
    ['slash-redirect', REDIRECTED, { order: ['limit', 'check', 'slash added', 'parse', 'named'] }],
    [
      'headers-of-errors',
      'RATE-2 RATE-3',
      {
        reject(response, { status, body }) {
          withoutRate(response);
          response.status(status).send(body);
        },
      },
    ],
    [
      'limited-headers',
      'RATE-4 RETRY-1',
      {
        limiter: {
          handler(_request, response) {
            withoutRate(response);
            response.removeHeader('Retry-After');
            response.status(429).json(PARTS.invalid.body);
          },
        },
      },
    ],
  ],
  false,
);

const fastify = pairsOf('Fastify', startFastify, [
  ['invalid-body-accepted', 'CREATE-5 CREATE-6', { schema: 'converting' }],
  ['invalid-body-accepted', 'CREATE-5 CREATE-6 CAT-2 CAT-3', { schema: 'none', ...NOVICE.withoutCheck }],
  ['absent-body-crash', 'CREATE-8 HTTP-4', { schema: 'none', bodyOf: ({ body }) => destructured(body) }],
  ['created-status', 'CREATE-1 CREATE-2 MEDIA-3', NOVICE.ok],
  ['adopted-id', 'CREATE-12 CREATE-11', NOVICE.copied],
  ['error-fields', 'ERR-1', { handlesErrors: false }],
  ['own-error-fields', 'ERR-2', NOVICE.ownFields],
  ['headers-of-errors', 'RATE-3', { checkedIn: 'onRequest' }],
  ['draft-headers', 'RATE-1 RATE-2 RATE-3', { headers: 'draft' }],
]);

const hono = pairsOf('Hono', startHono, [
  [
    'invalid-body-crash',
    'CREATE-8 CREATE-9 HTTP-4',
    { handlesErrors: false, bodyOf: async ({ req }) => (await req.json()) as ParsedBody },
  ],
  ['text-error', 'ERR-1 ERR-2 MEDIA-1', { handlesErrors: false, throws: true }],
]);

/** Rows of an app in a process of its own, which knows its faults by their causes. */
const byCause = (...rows: readonly (readonly [cause: CauseId, fails: string])[]) =>
  rows.map(([cause, fails]) => [cause, fails, cause] as const);

const flask = pairsOf(
  'Flask',
  startFlask,
  byCause(
    ['html-error', 'ERR-1 MEDIA-1'],
    ['created-status', 'CREATE-1 CREATE-2 MEDIA-3'],
    ['slash-redirect', REDIRECTED],
  ),
);

const go = pairsOf(
  'Go net/http',
  startGo,
  byCause(
    ['text-error', 'ERR-1 ERR-2 MEDIA-1'],
    ['invalid-body-accepted', 'CREATE-4'],
    ['slash-redirect', REDIRECTED],
    ['date-zone', 'RETRY-2'],
  ),
);

/** Every pair. A fix of the table without one is marked as unproven there. */
export const pairs: readonly Pair[] = [...express, ...unnamed, ...fastify, ...hono, ...flask, ...go];
