import { thisHost } from '../load/k6/host.ts';
import { userFolder } from '../load/user-folders.ts';
import { Ledger } from '../usage-ledger/ledger.ts';

/** The usage ledger of this user. */
export const userLedger = (): Ledger => new Ledger(userFolder('state', thisHost()));
