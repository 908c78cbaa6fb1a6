import type { Seams } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';

/** The bearer token of a request; empty where it has none. */
export function bearerOf(request: Request): string {
  return /^bearer +(\S+)$/i.exec(headerValues(request, 'Authorization')[0] ?? '')?.[1] ?? '';
}

export const isBare = (request: Request): boolean => headerValues(request, 'Authorization').length === 0;

export const hasBearer = (request: Request): boolean => bearerOf(request) !== '';

/** Authenticates some unauthenticated requests, with a limit of their own so that nothing else changes. */
export function authenticating(admits: (request: Request, keys: readonly string[]) => boolean): Seams {
  return {
    wrapIdentify:
      (identify, { keys }) =>
      (request) => {
        const identity = identify(request);
        if (identity.caller.authenticated || !admits(request, Object.values(keys).flat())) return identity;
        return { ...identity, caller: { ...identity.caller, authenticated: true } };
      },
  };
}

/** Authenticates a bearer token that is like a key. */
export function acceptingLike(isLike: (token: string, key: string) => boolean): Seams {
  return authenticating((request, keys) => keys.some((key) => isLike(bearerOf(request), key)));
}
