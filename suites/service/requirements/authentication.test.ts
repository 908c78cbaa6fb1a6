import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { VerdictRow } from '../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { testChapter } from '../../../evaluation/testing/suites/edits.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { RATE_HEADERS } from '../../../kernel/exchanges/judged-headers.ts';
import type { StepName } from '../probes/index.ts';
import {
  invalidCredentials,
  unauthenticatedAfterKey,
  unauthenticatedCreations,
} from '../probes/unauthenticated.ts';
import { lockoutSteps } from '../probes/unless-locked-out.ts';
import { otherSpellingRows } from './authentication/other-spelling.rows.ts';

const { lines } = await virtualRun();
const { at, asked, both } = edit;
const on = (path: string) => (exchange: Exchange) => exchange.request.target.split('?')[0] === path;
const cold = asked('unauthenticated-before-key');
const warm = asked('unauthenticated-after-key');
const named = (exchange: Exchange): boolean =>
  exchange.caller === 'unauthenticated' && (on('/v1/store/orders')(exchange) || on('/v1/pets/1')(exchange));

/** Every kind of stranger: turned away, let in, and not answered about it. */
const unauthenticated: readonly VerdictRow[] = (
  [
    ['AUTH-1', 'no key, before a keyed request', both(cold, on('/v1/categories'))],
    [
      'AUTH-1',
      'no key, after a keyed request',
      both(warm, asked(unauthenticatedAfterKey.id, unauthenticatedAfterKey.steps.afterKey)),
    ],
    [
      'AUTH-1',
      'a creation without a key',
      asked(unauthenticatedCreations.id, unauthenticatedCreations.steps.creationWithoutKey),
    ],
    ['AUTH-2', 'an unknown key', asked(invalidCredentials.id, invalidCredentials.steps.unknownKey)],
    [
      'AUTH-2',
      'a creation with an unknown key',
      asked(unauthenticatedCreations.id, unauthenticatedCreations.steps.creationWithUnknownKey),
    ],
    ['AUTH-3', 'a truncated key', asked('invalid-credentials', 'key without its last character')],
    ['AUTH-3', 'an extended key', asked('invalid-credentials', 'key with one character more')],
    ['AUTH-3', 'a key of the same shape', asked('invalid-credentials', 'key with other last characters')],
    ['AUTH-4', 'Basic', asked('invalid-credentials', 'Basic with the key as user')],
    ['AUTH-4', 'bare', asked('invalid-credentials', 'bare key')],
    ['AUTH-4', 'the query string', asked('invalid-credentials', 'query string')],
    ['AUTH-4', 'a cookie', asked('invalid-credentials', 'cookie')],
    ['AUTH-4', 'X-API-Key', asked('invalid-credentials', 'X-API-Key header')],
    ['AUTH-4', 'another header', asked('invalid-credentials', 'another header')],
  ] as const
).flatMap(([id, who, where]): readonly VerdictRow[] => [
  { id, description: `${who}: 401`, journal: edit.unchanged, verdict: 'pass' },
  {
    id,
    description: `${who}: let in`,
    journal: at(where, edit.status(200), edit.responseBody([])),
    verdict: 'fail',
  },
  { id, description: `${who}: 403`, journal: at(where, edit.status(403)), verdict: 'fail' },
  { id, description: `${who}: a 429 instead`, journal: at(where, edit.limited), verdict: 'inconclusive' },
  { id, description: `${who}: silence`, journal: at(where, edit.silent('timeout')), verdict: 'inconclusive' },
]);

/** A question of strangers was asked once more when a window had passed, and answered like this. */
const again =
  (step: StepName, ...edits: readonly edit.Edit[]): edit.Change =>
  (all) => {
    const asking = asked('invalid-credentials', step);
    const first = lines.filter((line) => line.kind === 'exchange').filter(asking);
    const then = edit.at(asking, ...edits, (exchange) => ({
      ...exchange,
      probe: 'invalid-credentials-again',
    }))(first);
    return all.flatMap((line) => (line.kind === 'end' ? [...then, line] : [line]));
  };

/** The same, after a 429 while the key was refused, too. */
const askedAgain = (step: StepName, ...edits: readonly edit.Edit[]): edit.Change =>
  edit.all(at(asked('invalid-credentials', step), edit.limited), again(step, ...edits));

testChapter('Authentication', lines, [
  ...otherSpellingRows,
  ...unauthenticated,
  {
    id: 'AUTH-1',
    description: 'a kept connection was closed before each question, which was asked again (K53)',
    journal: edit.closedBefore(({ caller }) => caller === 'unauthenticated'),
    verdict: 'pass',
  },
  {
    id: 'AUTH-1',
    description: 'a cache gives a keyed answer away',
    journal: at(
      both(warm, asked(unauthenticatedAfterKey.id, unauthenticatedAfterKey.steps.afterKey)),
      edit.status(200),
      edit.header('Age', '1'),
    ),
    verdict: 'fail',
  },
  ...(
    [
      ['AUTH-2', 'unknown key'],
      ['AUTH-3', 'key with one character more'],
      ['AUTH-4', 'query string'],
    ] as const
  ).flatMap(([id, step]): readonly VerdictRow[] => [
    { id, description: `${step}: 429, then 401`, journal: askedAgain(step), verdict: 'pass' },
    {
      id,
      description: `${step}: 429, then let in`,
      journal: askedAgain(step, edit.status(200), edit.responseBody([])),
      verdict: 'fail',
    },
    {
      id,
      description: `${step}: 429 twice, then 401`,
      journal: edit.all(askedAgain(step, edit.limited), again(step)),
      verdict: 'pass',
    },
    {
      id,
      description: `${step}: 429 twice`,
      journal: askedAgain(step, edit.limited),
      verdict: 'inconclusive',
    },
  ]),
  {
    id: 'AUTH-4',
    description: 'a 403 after which the key could not be tried',
    journal: edit.all(
      at(asked('invalid-credentials', 'cookie'), edit.status(403)),
      at(asked('invalid-credentials', 'X-API-Key header'), (exchange) => ({
        ...exchange,
        step: lockoutSteps.withoutKey,
      })),
    ),
    verdict: 'inconclusive',
  },
  {
    id: 'AUTH-6',
    description: '429, then 400',
    journal: askedAgain('invalid creation without a key', edit.status(400)),
    verdict: 'warn',
  },
  {
    id: 'AUTH-5',
    description: '200 to an unknown key',
    journal: at(
      asked(invalidCredentials.id, invalidCredentials.steps['unknown key for /store/orders']),
      edit.status(200),
    ),
    verdict: 'fail',
  },
  { id: 'AUTH-5', description: '401', journal: edit.unchanged, verdict: 'pass' },
  { id: 'AUTH-5', description: '403', journal: at(named, edit.status(403)), verdict: 'fail' },
  { id: 'AUTH-5', description: '501 of the service', journal: at(named, edit.status(501)), verdict: 'fail' },
  {
    id: 'AUTH-5',
    description: 'a redirect to a login page',
    journal: at(both(named, on('/v1/store/orders')), edit.status(302), edit.header('Location', '/login')),
    verdict: 'fail',
  },
  {
    id: 'AUTH-5',
    description: '403, and 200 with the key',
    journal: edit.all(at(named, edit.status(403)), at(asked('other-operations'), edit.status(200))),
    verdict: 'fail',
  },
  ...[400, 403, 404, 405].map(
    (status): VerdictRow => ({
      id: 'AUTH-5',
      description: `403, and ${status} with the key: nothing shows that they are there`,
      journal: edit.all(at(named, edit.status(403)), at(asked('other-operations'), edit.status(status))),
      verdict: 'not-tested',
    }),
  ),
  {
    id: 'AUTH-5',
    description: '403, and with the key the 501 of a router without the headers',
    journal: edit.all(
      at(named, edit.status(403)),
      at(asked('other-operations'), ...RATE_HEADERS.map((name) => edit.header(name))),
    ),
    verdict: 'not-tested',
  },
  {
    id: 'AUTH-5',
    description: 'one 401, and a 403 where nothing shows that the other is there',
    journal: edit.all(
      at(both(named, on('/v1/pets/1')), edit.status(403)),
      at(both(asked('other-operations'), on('/v1/pets/1')), edit.status(404)),
    ),
    verdict: 'pass',
  },
  {
    id: 'AUTH-5',
    description: '204 without a key only',
    journal: at(both(asked('invalid-credentials', 'no key for /store/orders'), named), edit.status(204)),
    verdict: 'fail',
  },
  {
    id: 'AUTH-5',
    description: '404: they are not there',
    journal: at(named, edit.status(404)),
    verdict: 'not-tested',
  },
  {
    id: 'AUTH-5',
    description: 'one is there and open',
    journal: edit.all(
      at(both(named, on('/v1/pets/1')), edit.status(404)),
      at(both(named, on('/v1/store/orders')), edit.status(200)),
    ),
    verdict: 'fail',
  },
  {
    id: 'AUTH-5',
    description: 'no-response',
    journal: at(named, edit.silent('timeout')),
    verdict: 'inconclusive',
  },
  { id: 'AUTH-6', description: '401', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'AUTH-6',
    description: '400',
    journal: at(
      asked(invalidCredentials.id, invalidCredentials.steps.invalidCreationWithoutKey),
      edit.status(400),
    ),
    verdict: 'warn',
  },
  {
    id: 'AUTH-6',
    description: 'a 429 instead',
    journal: at(
      asked(invalidCredentials.id, invalidCredentials.steps.invalidCreationWithoutKey),
      edit.limited,
    ),
    verdict: 'inconclusive',
  },
]);
