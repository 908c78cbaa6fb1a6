import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import { authenticating } from './admitted-keys.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Authentication": whoever claims to be behind the gateway, or authenticated by it, needs no key. */
export const claimedIdentities: readonly Fault[] = [
  claimed('claimed-loopback-open', 'X-Forwarded-For', '127.0.0.1', {
    description: 'No key is needed where X-Forwarded-For names 127.0.0.1.',
    seenIn: 'health checks and internal callers that are admitted by address, where every proxy is trusted',
  }),
  claimed('private-address-open', 'X-Forwarded-For', '10.0.0.1', {
    description: 'No key is needed where X-Forwarded-For names an address of a private network.',
    seenIn: 'services that exempt their own network, and believe the address that any client claims',
  }),
  claimed('claimed-user-open', 'X-Consumer-Username', '1', {
    description: 'No key is needed where X-Consumer-Username names a user.',
    seenIn: 'services behind Kong that read its headers, and gateways that pass on those of a client',
  }),
];

/** A service that needs no key where this header claims this value. */
function claimed(
  id: string,
  name: string,
  value: string,
  words: Pick<Fault, 'description' | 'seenIn'>,
): Fault {
  const claims = (request: Request): boolean =>
    headerValues(request, 'Authorization').length === 0 && headerValues(request, name).includes(value);
  return { id, ...words, breaks: ['AUTH-1'], ...authenticating(claims) };
}
