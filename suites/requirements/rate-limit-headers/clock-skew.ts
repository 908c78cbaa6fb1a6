import { isLoopback } from '../../../exchanges/loopback.ts';
import type { Evidence } from '../../evidence/evidence.ts';

const ON_ONE_MACHINE = 2;

const ACROSS_A_NETWORK = 5;

/** How far the clocks of one service may differ, in seconds: on one machine, and across a network. */
export const clockSkew = ({ run }: Evidence): number =>
  isLoopback(new URL(run.target.baseUrl)) ? ON_ONE_MACHINE : ACROSS_A_NETWORK;
