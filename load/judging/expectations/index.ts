import type { ExpectationId } from '../../../spec/register.ts';
import { entry } from '../../../spec/register.ts';
import type { Expectation, KeyExpectation, RunExpectation } from '../evidence.ts';
import { noServerErrors, respondsAsSpecified, sentOnSchedule } from './contract.ts';
import { banEndsAsAnnounced, enforcesDay } from './day.ts';
import { holdsEveryRate, rateSteps } from './holds.ts';
import {
  acceptsFullLimit,
  judgeNo429,
  limitsBeyondLimit,
  neverBeyondLimit,
  no429WhileQuotaRemains,
} from './limits.ts';
import { leavesOtherKeyAlone } from './neighbour.ts';
import { recoversAfterBurst, spikeFigures } from './recovers.ts';
import { staysSteady, tenthsOf } from './steady.ts';
import { acceptsAfterRetryAfter, goodputOfWaitingClient, noBanOfWaitingClient } from './waits.ts';

/** An expectation besides its entry of the register. Where a row does not say what a pass requires, its scope does. */
type Row<Kind extends Expectation> = Omit<Kind, 'entry' | 'passRequires'> &
  Partial<Pick<Kind, 'passRequires'>>;

const rows: Readonly<Record<ExpectationId, Row<KeyExpectation> | Row<RunExpectation>>> = {
  SENT: {
    scope: 'counts',
    whyItMatters: 'What was not sent shows nothing about the target.',
    passRequires: 'every request on schedule',
    judge: sentOnSchedule,
  },
  CONTRACT: {
    scope: 'each key',
    whyItMatters:
      'Clients read the status, the headers and the body of each response, also of a busy service.',
    judge: respondsAsSpecified,
  },
  'NO-429': {
    scope: 'each key',
    whyItMatters: 'A customer who keeps the limit loses requests that the plan grants.',
    passRequires: 'every request on schedule',
    judge: (scenario) => judgeNo429(scenario),
    reconsider: (scenario, together) => judgeNo429(scenario, { together }),
  },
  'NO-5XX': {
    scope: 'counts',
    whyItMatters: 'A client cannot tell whether a request that ended so was carried out.',
    judge: noServerErrors,
  },
  FLOOR: {
    scope: 'each key',
    whyItMatters: 'Customers get less than their plan states.',
    judge: acceptsFullLimit,
  },
  CEILING: {
    scope: 'each key',
    whyItMatters: 'A limit that accepts more does not protect the service, and its headers mislead clients.',
    judge: neverBeyondLimit,
  },
  'RATE-LIMITED': {
    scope: 'each key',
    whyItMatters: 'Clients learn from a 429 and its Retry-After that they have to wait, and for how long.',
    judge: limitsBeyondLimit,
  },
  REMAINING: {
    scope: 'each key',
    whyItMatters: 'Clients plan their requests by what Remaining shows.',
    judge: no429WhileQuotaRemains,
  },
  RECOVERY: {
    scope: 'each key',
    whyItMatters: 'A client that waited as announced loses another request, and more time.',
    judge: acceptsAfterRetryAfter,
  },
  GOODPUT: {
    scope: 'each key',
    whyItMatters: 'A client that follows the specification gets less than its plan states.',
    judge: goodputOfWaitingClient,
  },
  'NO-BAN': {
    scope: 'each key',
    whyItMatters: 'A ban locks out a customer who did what the specification requires.',
    judge: noBanOfWaitingClient,
  },
  'BAN-ENDS': {
    scope: 'each key',
    whyItMatters: 'A client that is banned cannot know when it may send again.',
    judge: banEndsAsAnnounced,
  },
  NEIGHBOUR: {
    scope: 'all keys',
    whyItMatters: 'One customer takes away the quota of others.',
    judge: leavesOtherKeyAlone,
  },
  DAY: {
    scope: 'each key',
    whyItMatters: 'Customers plan their work by the quota of the day.',
    passRequires: 'every request on schedule',
    judge: enforcesDay,
  },
  STEADY: {
    scope: 'all keys',
    whyItMatters: 'A service that degrades under the same load fails sooner or later.',
    judge: staysSteady,
    phases: tenthsOf,
  },
  RECOVERS: {
    scope: 'all keys',
    whyItMatters: 'A short peak makes the service slow for everyone after it.',
    judge: recoversAfterBurst,
    phases: spikeFigures,
  },
  HOLDS: {
    scope: 'all keys',
    whyItMatters: 'Customers who all keep their limits slow down or break the service together.',
    judge: holdsEveryRate,
    phases: (evidence) => rateSteps(evidence).map(({ phase }) => phase),
  },
};

const expectation = (id: ExpectationId): Expectation => ({
  entry: entry(id),
  // Keys are compared by what happened at the same time.
  passRequires: rows[id].scope === 'all keys' ? 'every request on schedule' : 'every request',
  ...rows[id],
});

export const expectations = Object.fromEntries(
  (Object.keys(rows) as ExpectationId[]).map((id) => [id, expectation(id)]),
) as Readonly<Record<ExpectationId, Expectation>>;
