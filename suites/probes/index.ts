import { ban } from './ban.ts';
import {
  creations,
  firstBatch,
  firstCreation,
  lastLook,
  listAfterCreations,
  secondBatch,
} from './creations.ts';
import { drain } from './exhaust-quota.ts';
import { otherCallerAgain } from './isolation.ts';
import {
  identities,
  openCreations,
  otherOperations,
  presentations,
  repeatedAuthorization,
} from './open-questions.ts';
import { openapiDocument } from './openapi-document.ts';
import { furtherPlans, otherCaller, spentDay } from './other-callers.ts';
import { firstLook } from './preflight.ts';
import type { Probe } from './probe.ts';
import { recount } from './recount.ts';
import { recovery, refill } from './recovery.ts';
import { rejections } from './rejections.ts';
import { repetition } from './repetition.ts';
import { targetCheck } from './target-check.ts';
import {
  coldStrangers,
  strangers,
  strangersAgain,
  warmStrangers,
  warmStrangersNamed,
} from './unauthenticated.ts';

/**
 * Every probe, in the order in which a run asks. Everything that needs the key
 * is packed into the requests that using up its limit takes anyway; what needs
 * no key is asked while the key has to wait.
 */
export const probes: readonly Probe[] = [
  openapiDocument,
  coldStrangers,
  firstLook,
  targetCheck,
  warmStrangers,
  firstCreation,
  firstBatch,
  creations,
  listAfterCreations,
  warmStrangersNamed,
  rejections,
  otherOperations,
  identities,
  presentations,
  openCreations,
  secondBatch,
  drain,
  otherCaller,
  strangers,
  furtherPlans,
  spentDay,
  recovery,
  refill,
  lastLook,
  repeatedAuthorization,
  repetition,
  recount,
  otherCallerAgain,
  strangersAgain,
  ban,
];
