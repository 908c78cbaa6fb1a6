/**
 * The reference server: the Pet Store Service of the specification, with a
 * choice of limiter algorithms and seams for other behaviour.
 */
export {
  CannotListenError,
  type ListenOptions,
  PortTakenError,
  type RunningServer,
  type Servable,
  type ServerOptions,
  serveOverHttp,
  startServer,
} from './http/server.ts';
export type { BanPolicy } from './limiters/ban.ts';
export { type AlgorithmName, algorithms, DEFAULT_ALGORITHM } from './limiters/index.ts';
export type { BytesSeam, SeamContext, Seams, Transmission } from './seams.ts';
export { type Clock, systemClock } from './service/clock.ts';
export type { DemoKeys } from './service/demo-keys.ts';
export type { HeaderLine, Outcome, Request, RequestHandler, Response } from './service/message.ts';
export { createService, type Service, type ServiceOptions } from './service/service.ts';
