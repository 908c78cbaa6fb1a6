import { createHmac, randomBytes } from 'node:crypto';

/** It stands nowhere and ends with this process: so equal values are known as equal, and none can be guessed. */
const SALT = randomBytes(32);

/** What stands for a value that is not recorded: the same for equal ones. */
export const tagOf = (value: string): string =>
  createHmac('sha256', SALT).update(value).digest('hex').slice(0, 8);
