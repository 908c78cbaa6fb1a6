import type { ExpectationId } from '../../../spec/register.ts';
import type { Expectation } from '../evidence.ts';
import { limitsBeyondLimit, neverBeyondLimit } from './beyond-limit.ts';
import { respondsAsSpecified } from './contract.ts';
import { banEndsAsAnnounced, enforcesDay } from './day.ts';
import { holdsEveryRate, noServerErrors, sentOnSchedule } from './failures.ts';
import { leavesOtherKeyAlone } from './neighbour.ts';
import { recoversAfterBurst, staysSteady } from './recovers.ts';
import { acceptsAfterRetryAfter, goodputOfWaitingClient, noBanOfWaitingClient } from './waits.ts';
import { acceptsFullLimit, no429BelowLimit, no429WhileQuotaRemains } from './within-limit.ts';

export const expectations: Readonly<Record<ExpectationId, Expectation>> = {
  SENT: sentOnSchedule,
  CONTRACT: respondsAsSpecified,
  'NO-429': no429BelowLimit,
  'NO-5XX': noServerErrors,
  FLOOR: acceptsFullLimit,
  CEILING: neverBeyondLimit,
  'RATE-LIMITED': limitsBeyondLimit,
  REMAINING: no429WhileQuotaRemains,
  RECOVERY: acceptsAfterRetryAfter,
  GOODPUT: goodputOfWaitingClient,
  'NO-BAN': noBanOfWaitingClient,
  'BAN-ENDS': banEndsAsAnnounced,
  NEIGHBOUR: leavesOtherKeyAlone,
  DAY: enforcesDay,
  STEADY: staysSteady,
  RECOVERS: recoversAfterBurst,
  HOLDS: holdsEveryRate,
};
