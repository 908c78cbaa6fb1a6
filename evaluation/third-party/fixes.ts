import type { RequirementId } from '../../spec/register.ts';
import type { CauseId } from '../../suites/service/judge/causes/causes.ts';
import type { Framework } from '../../suites/service/judge/causes/frameworks.ts';
import type { AppSettings, ParsedBody, RunningApp } from './apps/app.ts';
import { NOVICE, PARTS, retryAfterHeader } from './apps/app.ts';
import { startExpress } from './apps/express.ts';
import { expressRateLimit } from './apps/express-limiters.ts';
import { startFastify } from './apps/fastify.ts';
import { startHono } from './apps/hono.ts';
import { KOA_BODY, startKoa } from './apps/koa.ts';
import { hasFlask, hasGo, startFlask, startGo } from './apps/processes.ts';

type Start = (settings: AppSettings) => Promise<RunningApp>;

/** The apps in this process, each conforming as it is: with its parts as the fixes have them. */
const APPS = { Express: startExpress, Fastify: startFastify, Koa: startKoa, Hono: startHono } as const;

/** Every app, conforming, and why this machine cannot run it, if it cannot. */
export const conformingApps: Readonly<Record<string, { start: Start; isAvailable: () => boolean }>> = {
  Express: { start: startExpress, isAvailable: () => true },
  Fastify: { start: startFastify, isAvailable: () => true },
  Koa: { start: startKoa, isAvailable: () => true },
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

type Changed<App extends keyof typeof APPS> = NonNullable<Parameters<(typeof APPS)[App]>[1]>;

const pairsOf =
  <App extends keyof typeof APPS>(app: App, framework: Framework | undefined) =>
  (
    ...rows: readonly (readonly [cause: CauseId, fails: string, changed: Changed<App>, how?: 'in general'])[]
  ): readonly Pair[] =>
    rows.map(([cause, fails, changed, how]) => ({
      app,
      cause,
      proves: framework === undefined || how === 'in general' ? 'inGeneral' : framework,
      fails: fails.split(' ') as RequirementId[],
      start: (settings) =>
        (APPS[app] as (settings: AppSettings, parts: Changed<App>) => Promise<RunningApp>)(settings, changed),
    }));

/** A handler that uses a field of a body, whatever it is. */
const trimming = (body: ParsedBody): boolean =>
  (body as { name: string }).name.trim() !== '' && PARTS.isValid(body);

/** A handler that reads the fields of a body, whether there is one or not. */
const destructured = (body: unknown): ParsedBody => {
  const { name, description } = body as NonNullable<ParsedBody>;
  return { name, description };
};

const express = pairsOf('Express', 'Express')(
  ['invalid-body-accepted', 'CREATE-5 CREATE-6 CAT-2 CAT-3 LIST-2', { ...NOVICE.withoutCheck }],
  ['invalid-body-crash', 'CREATE-4 CREATE-5 CREATE-7 CREATE-8 HTTP-4', { isValid: trimming }],
  ['absent-body-crash', 'CREATE-8 HTTP-4', { bodyOf: ({ body }) => destructured(body) }],
  ['created-status', 'CREATE-1 CREATE-2 MEDIA-3', NOVICE.ok],
  ['adopted-id', 'CREATE-12 CREATE-11', NOVICE.copied],
  ['list-envelope', 'LIST-2', NOVICE.envelope],
  ['html-error', 'MEDIA-1 ERR-1', { onError: undefined }],
  ['text-error', 'ERR-1 ERR-2 MEDIA-1', NOVICE.text],
  ['own-error-fields', 'ERR-1 ERR-2', NOVICE.ownFields],
  ['open-access', 'AUTH-1 AUTH-2 AUTH-3 AUTH-4 AUTH-5 AUTH-6', { order: ['limit', 'parse', 'named'] }],
  ['scheme-not-required', 'AUTH-4', NOVICE.removedScheme],
  ['unchecked-operations', 'AUTH-5', { order: ['limit', 'named', 'check', 'parse'] }],
  ['unauthorized-crash', 'AUTH-1 AUTH-4 AUTH-5 AUTH-6 HTTP-4', NOVICE.throwing],
  ['rate-limit-headers', 'RATE-1 RATE-2 RATE-3', { limiter: expressRateLimit({ legacyHeaders: false }) }],
  ['headers-of-errors', 'RATE-3', { order: ['check', 'limit', 'parse', 'named'] }],
  [
    'draft-headers',
    'RATE-1 RATE-2 RATE-3',
    { limiter: expressRateLimit({ legacyHeaders: false, standardHeaders: 'draft-8' }) },
  ],
  ['limited-body', 'MEDIA-2', { limiter: expressRateLimit({}) }],
  [
    'unchecked-paths',
    'AUTH-1',
    { isChecked: ({ path }) => path === '/v1/categories' || !/categories/i.test(path) },
    'in general',
  ],
  [
    'validated-before-key',
    'AUTH-6',
    { order: ['limit', 'parse', 'validate', 'check', 'named'] },
    'in general',
  ],
);

const fastify = pairsOf('Fastify', 'Fastify')(
  ['invalid-body-accepted', 'CREATE-5 CREATE-6', { schema: 'converting' }],
  ['invalid-body-accepted', 'CREATE-5 CREATE-6 CAT-2 CAT-3', { schema: 'none', ...NOVICE.withoutCheck }],
  ['absent-body-crash', 'CREATE-8 HTTP-4', { schema: 'none', bodyOf: ({ body }) => destructured(body) }],
  ['created-status', 'CREATE-1 CREATE-2 MEDIA-3', NOVICE.ok],
  ['adopted-id', 'CREATE-12 CREATE-11', NOVICE.copied],
  ['error-fields', 'ERR-1', { handlesErrors: false }],
  ['own-error-fields', 'ERR-2', NOVICE.ownFields],
  ['headers-of-errors', 'RATE-3', { checkedIn: 'onRequest' }],
  ['draft-headers', 'RATE-1 RATE-2 RATE-3', { headers: 'draft' }],
);

const koa = pairsOf('Koa', undefined)(
  ['invalid-body-status', 'CREATE-4 CREATE-5 CREATE-6 CREATE-7 CREATE-8 CREATE-9', NOVICE.unprocessable],
  ['invalid-body-accepted', 'CREATE-5 CREATE-6 CAT-2 CAT-3 LIST-2', NOVICE.withoutCheck],
  ['invalid-body-crash', 'CREATE-4 CREATE-5 CREATE-7 CREATE-8 CREATE-9 HTTP-4', { isValid: trimming }],
  [
    'absent-body-crash',
    'CREATE-8 HTTP-4',
    {
      bodyOf: async (context) =>
        (context.request.length ?? 0) > 0 ? KOA_BODY(context) : destructured(undefined),
    },
  ],
  ['created-status', 'CREATE-1 CREATE-2 MEDIA-3', NOVICE.ok],
  ['adopted-id', 'CREATE-12 CREATE-11', NOVICE.copied],
  ['category-fields', 'CAT-1 CREATE-3 LIST-2', NOVICE.idAsText],
  ['list-envelope', 'LIST-2', NOVICE.envelope],
  ['html-error', 'ERR-2 MEDIA-1', { unauthorized: { status: 401, body: '<html><title>401</title></html>' } }],
  ['text-error', 'ERR-1 ERR-2 MEDIA-1', NOVICE.text],
  ['own-error-fields', 'ERR-1 ERR-2', NOVICE.ownFields],
  ['open-access', 'AUTH-1 AUTH-2 AUTH-3 AUTH-4 AUTH-5 AUTH-6', NOVICE.anyKey],
  ['scheme-not-required', 'AUTH-4', NOVICE.removedScheme],
  [
    'key-elsewhere',
    'AUTH-4',
    {
      credentials: (context) =>
        context.get('Authorization') || `Bearer ${String(context.query['api_key'] ?? '')}`,
    },
  ],
  ['loose-key', 'AUTH-3', NOVICE.prefix],
  ['unchecked-operations', 'AUTH-5', { order: ['catch', 'limit', 'named', 'check'] }],
  [
    'unchecked-paths',
    'AUTH-1',
    { isChecked: ({ path }) => path === '/v1/categories' || !/categories/i.test(path) },
  ],
  [
    'unauthorized-crash',
    'AUTH-1 AUTH-4 AUTH-5 AUTH-6 HTTP-4',
    { credentials: ({ req }) => req.headers.authorization, ...NOVICE.throwing },
  ],
  ['unauthorized-status', 'AUTH-1 AUTH-2 AUTH-3 AUTH-4 AUTH-5 AUTH-6', NOVICE.forbidden],
  [
    'slash-redirect',
    'LIST-1 CREATE-1 CREATE-2 CREATE-4 CREATE-5 CREATE-6 CREATE-7 CREATE-8 CREATE-9 MEDIA-3',
    { path: '/v1/categories/' },
  ],
  ['rate-limit-headers', 'RATE-1 RATE-2 RATE-3', { headers: () => ({}) }],
  ['headers-of-errors', 'RATE-3', { order: ['catch', 'check', 'limit', 'named'] }],
  ['headers-of-errors', 'RATE-2 RATE-3', { order: ['limit', 'check', 'named'], throws: true }],
  [
    'draft-headers',
    'RATE-1 RATE-2 RATE-3',
    { headers: ({ remaining }) => ({ RateLimit: `"minute";r=${remaining};t=3` }) },
  ],
  [
    'limited-headers',
    'RATE-4 RETRY-1',
    {
      limited: (context) => {
        for (const name of ['Limit', 'Remaining', 'Reset']) context.remove(`X-RateLimit-${name}`);
        context.body = PARTS.invalid.body;
      },
    },
  ],
  [
    'limited-body',
    'MEDIA-2',
    {
      limited: (context, resetAt) => {
        context.set(retryAfterHeader(resetAt));
        context.body = 'Too many requests.';
      },
    },
  ],
);

const hono = pairsOf('Hono', 'Hono')(
  [
    'invalid-body-crash',
    'CREATE-8 CREATE-9 HTTP-4',
    { handlesErrors: false, bodyOf: async ({ req }) => (await req.json()) as ParsedBody },
  ],
  ['created-status', 'CREATE-1 CREATE-2 MEDIA-3', NOVICE.ok, 'in general'],
  ['text-error', 'ERR-1 ERR-2 MEDIA-1', { handlesErrors: false, throws: true }],
  ['draft-headers', 'RATE-1 RATE-2 RATE-3', { headers: 'draft' }, 'in general'],
);

const processPairs = (
  framework: 'Flask' | 'Go net/http',
  start: (settings: AppSettings, fault: CauseId) => Promise<RunningApp>,
  ...rows: readonly (readonly [cause: CauseId, fails: string])[]
): readonly Pair[] =>
  rows.map(([cause, fails]) => ({
    app: framework,
    cause,
    proves: framework,
    fails: fails.split(' ') as RequirementId[],
    start: (settings) => start(settings, cause),
  }));

const REDIRECTED = 'LIST-1 CREATE-1 CREATE-2 CREATE-4 CREATE-5 CREATE-6 CREATE-7 CREATE-8 CREATE-9 MEDIA-3';

const flask = processPairs(
  'Flask',
  startFlask,
  ['html-error', 'ERR-1 MEDIA-1'],
  ['created-status', 'CREATE-1 CREATE-2 MEDIA-3'],
  ['slash-redirect', REDIRECTED],
);

const go = processPairs(
  'Go net/http',
  startGo,
  ['text-error', 'ERR-1 ERR-2 MEDIA-1'],
  ['invalid-body-accepted', 'CREATE-4'],
  ['slash-redirect', REDIRECTED],
  ['date-zone', 'RETRY-2'],
);

/** Every pair. A fix of the table without one is marked as unproven there. */
export const pairs: readonly Pair[] = [...express, ...fastify, ...koa, ...hono, ...flask, ...go];
