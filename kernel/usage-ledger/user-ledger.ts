import { thisUserPlace, userFolder } from '../basics/user-folders.ts';
import { UsageLedger } from './ledger.ts';

/** The usage ledger of the user who runs this process, in the user's state folder. */
export const userLedger = (): UsageLedger => new UsageLedger(userFolder('state', thisUserPlace()));
