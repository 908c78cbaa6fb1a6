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
import {
  identities,
  openCreations,
  otherOperations,
  presentations,
  repeatedAuthorization,
} from './open-behavior.ts';
import { openapiDocument } from './openapi-document.ts';
import { otherCallerAgain } from './other-caller-again.ts';
import { exhaustedDay, furtherPlans, otherCaller } from './other-callers.ts';
import { preflight } from './preflight.ts';
import type { Probe, StepOf } from './probe.ts';
import { recount } from './recount.ts';
import { recovery, refill } from './recovery.ts';
import { rejections } from './rejections.ts';
import { repetition } from './repetition.ts';
import { targetCheck } from './target-check.ts';
import {
  invalidCredentials,
  invalidCredentialsAgain,
  namedOperationsUnauthenticated,
  unauthenticatedAfterKey,
  unauthenticatedBeforeKey,
} from './unauthenticated.ts';

/**
 * Every probe, in the order of a run. Everything that needs the key under test
 * is packed into the requests that exhausting its quota takes anyway. What needs
 * no key is sent while the key has to wait.
 */
const inOrder = [
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
  invalidCredentials,
  furtherPlans,
  exhaustedDay,
  recovery,
  refill,
  repeatedAuthorization,
  repetition,
  recount,
  finalList,
  otherCallerAgain,
  invalidCredentialsAgain,
  ban,
] as const;

/** Every probe, in the order of a run. */
export const probes: readonly Probe[] = inOrder;

/** A step of any probe. */
export type StepName = StepOf<(typeof inOrder)[number]>;
