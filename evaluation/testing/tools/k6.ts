import { findK6 } from '../../../load/k6/find.ts';

const k6 = await findK6({ install: false });

/** Why tests with k6 are skipped here, or false. */
export const withoutK6: string | false =
  k6.kind === 'missing' && `k6 is not to be had here; npm run provision says more. ${k6.advice}`;

/** The k6 of these tests; empty where there is none. */
export const k6Path: string = k6.kind === 'found' ? k6.path : '';
