import { isLoopbackUrl } from '../../../kernel/exchanges/loopback.ts';
import type { Evidence } from './evidence.ts';

const ON_ONE_MACHINE = 2;
const ACROSS_A_NETWORK = 5;

/** How far the clocks of one service may differ, in seconds: on one machine, and across a network. */
export const clockSkew = ({ run: { target } }: Evidence): number =>
  isLoopbackUrl(target.baseUrl) ? ON_ONE_MACHINE : ACROSS_A_NETWORK;
