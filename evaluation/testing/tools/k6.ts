import { findK6 } from '../../../load/k6/find.ts';

const k6 = await findK6({ install: false });

/** Why tests with k6 are skipped on this machine, or false. */
export const withoutK6: string | false =
  k6.kind === 'missing' && `k6 is not installed; see npm run provision. ${k6.advice}`;

/** The path of k6; empty if it is not installed. */
export const k6Path: string = k6.kind === 'found' ? k6.path : '';
