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
import { otherCallerAgain } from './isolation.ts';
import {
  identities,
  openCreations,
  otherOperations,
  presentations,
  repeatedAuthorization,
} from './open-questions.ts';
import { openapiDocument } from './openapi-document.ts';
import { exhaustedDay, furtherPlans, otherCaller } from './other-callers.ts';
import { preflight } from './preflight.ts';
import type { Probe } from './probe.ts';
import { recount } from './recount.ts';
import { recovery, refill } from './recovery.ts';
import { rejections } from './rejections.ts';
import { repetition } from './repetition.ts';
import { targetCheck } from './target-check.ts';
import {
  invalidCredentialsAgain,
  namedOperationsUnauthenticated,
  unauthenticated,
  unauthenticatedAfterKey,
  unauthenticatedBeforeKey,
} from './unauthenticated.ts';

/**
 * Every probe, in the order in which a run asks. Everything that needs the key
 * is packed into the requests that using up its limit takes anyway; what needs
 * no key is asked while the key has to wait.
 */
export const probes: readonly Probe[] = [
  openapiDocument,
  unauthenticatedBeforeKey,
  preflight,
  targetCheck,
  unauthenticatedAfterKey,
  firstCreation,
  firstBatch,
  creations,
  listAfterCreations,
  namedOperationsUnauthenticated,
  rejections,
  otherOperations,
  identities,
  presentations,
  openCreations,
  secondBatch,
  exhaustQuota,
  otherCaller,
  unauthenticated,
  furtherPlans,
  exhaustedDay,
  recovery,
  refill,
  finalList,
  repeatedAuthorization,
  repetition,
  recount,
  otherCallerAgain,
  invalidCredentialsAgain,
  ban,
];
