import type { Scenario } from '../model/scenario.ts';
import { attachedClient, watchedClient } from './attached.ts';
import { backoffAfterSeconds, backoffAfterZero, backoffWithoutHeader } from './backoff.ts';
import { invalidBody, limitedForEver, limitedForEverAfterZero, unknownKey } from './giving-up.ts';
import {
  parallelTasks,
  spreadRetries,
  waitCreation,
  waitDate,
  waitHour,
  waitLong,
  waitSeconds,
} from './waiting.ts';

/** Every scenario, in the order of the preview and the reports. */
export const scenarios: readonly Scenario[] = [
  waitSeconds,
  waitCreation,
  waitDate,
  parallelTasks,
  backoffAfterSeconds,
  backoffAfterZero,
  backoffWithoutHeader,
  spreadRetries,
  invalidBody,
  unknownKey,
  limitedForEver,
  limitedForEverAfterZero,
  waitLong,
  waitHour,
  attachedClient,
  watchedClient,
];
