import { ban } from './ban.ts';
import {
  creations,
  finalList,
  firstBatch,
  firstCreation,
  listAfterCreations,
  secondBatch,
} from './creations.ts';
import { exhaustQuota } from './exhaust-quota.ts';
import { secondWindow, thirdWindow } from './later-windows.ts';
import { listPages } from './lists.ts';
import {
  identities,
  openCreations,
  otherOperations,
  presentations,
  repeatedAuthorization,
} from './open-behavior.ts';
import { exhaustedDay, furtherPlans, otherCaller, otherCallerAgain } from './other-callers.ts';
import { otherSpellings } from './other-spellings.ts';
import { fullBurst, pacedWindow } from './paced-window.ts';
import { openapiDocument, preflight, targetCheck } from './preflight.ts';
import type { Probe, StepOf } from './probe.ts';
import { recount } from './recount.ts';
import { recovery, refill } from './recovery.ts';
import { repetition, unavailableAgain } from './repetition.ts';
import { spendDay } from './spend-day.ts';
import {
  invalidCredentials,
  invalidCredentialsAgain,
  unauthenticatedAfterKey,
  unauthenticatedBeforeKey,
  unauthenticatedCreations,
} from './unauthenticated.ts';
import { rejections } from './valid-creation.ts';

/** What needs the key uses the requests that exhaust its quota anyway; what may provoke a lockout follows all that it would spoil. */
const inOrder = [
  openapiDocument,
  unauthenticatedBeforeKey,
  preflight,
  targetCheck,
  firstCreation,
  firstBatch,
  creations,
  listAfterCreations,
  unauthenticatedAfterKey,
  rejections,
  otherOperations,
  identities,
  presentations,
  openCreations,
  unauthenticatedCreations,
  secondBatch,
  exhaustQuota,
  otherCaller,
  furtherPlans,
  exhaustedDay,
  recovery,
  refill,
  pacedWindow,
  fullBurst,
  secondWindow,
  thirdWindow,
  repetition,
  unavailableAgain,
  recount,
  finalList,
  listPages,
  otherCallerAgain,
  repeatedAuthorization,
  ban,
  invalidCredentials,
  invalidCredentialsAgain,
  spendDay,
  otherSpellings,
] as const;

export const probes: readonly (Probe & { readonly id: ProbeId })[] = inOrder;

/** The name of a probe in the journal, by which requirements need it and evidence has its exchanges. */
export type ProbeId = (typeof inOrder)[number]['id'];

/** Those of requests without a valid key that count against it, apart from what is sent again. */
export const UNAUTHENTICATED = [
  'unauthenticated-before-key',
  'unauthenticated-after-key',
  'unauthenticated-creations',
  'invalid-credentials',
] as const satisfies readonly ProbeId[];

/** Those that send up to the limit, and one request beyond it. */
export const EXHAUSTS_QUOTA = ['preflight', 'exhaust-quota'] as const satisfies readonly ProbeId[];

/** The probes of what any response shows. */
export const EVERY_PROBE: readonly ProbeId[] = inOrder.map(({ id }) => id);

export type StepName = StepNameOf<ProbeId>;

/** The steps of one probe, as the journal names them. */
export type StepNameOf<Id extends ProbeId> = StepOf<Extract<(typeof inOrder)[number], { readonly id: Id }>>;
