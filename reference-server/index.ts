/**
 * The reference server: the Pet Store Service as the specification has it, with
 * limiter algorithms to choose from and seams for any other behaviour.
 */
export type { BanPolicy } from './ban.ts';
export type { Clock } from './clock.ts';
export { systemClock } from './clock.ts';
export type { DemoKeys } from './demo-keys.ts';
export { type AlgorithmName, algorithms, DEFAULT_ALGORITHM } from './limiters/index.ts';
export type { Answer, HeaderLine, Outcome, Request, Response } from './message.ts';
export type { Seams, Surroundings } from './seams.ts';
export {
  CannotListenError,
  PortTakenError,
  type RunningServer,
  type ServerOptions,
  startServer,
} from './server.ts';
export { createService, type Service, type ServiceOptions } from './service.ts';
export { connectRedis, StoreUnreachableError } from './shared/redis.ts';
export { type SharedStore, STORE_FAILURES, type StoreFailure } from './shared/store.ts';
