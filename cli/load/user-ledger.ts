import { Ledger } from '../../load/guard/ledger.ts';
import { thisHost } from '../../load/k6/host.ts';
import { userFolder } from '../../load/user-folders.ts';

/** The ledger of this user. */
export const userLedger = (): Ledger => new Ledger(userFolder('state', thisHost()));
