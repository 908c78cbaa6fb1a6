import type { Profile } from '../../model/profile.ts';
import type { Expectation } from '../expectation.ts';
import { ceiling, limitedBeyond } from './beyond-limit.ts';
import { contract } from './contract.ts';
import { day } from './day.ts';
import { noServerErrors } from './failures.ts';
import { neighbour } from './neighbour.ts';
import { sent } from './sent.ts';
import { goodput, noBan, recovery } from './waits.ts';
import { floor, no429, promise } from './within-limit.ts';

/** Every expectation that profiles have, by its id. */
export const expectations: Readonly<Record<Profile['expects'][number], Expectation>> = {
  SENT: sent,
  CONTRACT: contract,
  'NO-429': no429,
  'NO-5XX': noServerErrors,
  FLOOR: floor,
  CEILING: ceiling,
  'RATE-LIMITED': limitedBeyond,
  REMAINING: promise,
  RECOVERY: recovery,
  GOODPUT: goodput,
  'NO-BAN': noBan,
  NEIGHBOUR: neighbour,
  DAY: day,
};
