import { UserError } from '../../../kernel/basics/user-error.ts';
import { tlsAdvice } from '../inputs/tls-advice.ts';
import type { TargetLostError } from '../pacing/transport.ts';
import type { InputNames } from './input-names.ts';
import type { TargetAccess } from './target-access.ts';

/** A run whose target could not be reached, or stopped responding. */
export class LostRunError extends UserError {
  /** Whether the journal holds a response to judge. */
  readonly judgeable: boolean;
  constructor(message: string, judgeable: boolean) {
    super(message);
    this.judgeable = judgeable;
  }
}

/** How OpenSSL describes a response that is not TLS. */
const NOT_TLS = /wrong version number|packet length too long/i;

/** How OpenSSL describes a server that accepts none of the offered protocols: HTTP/1.1. */
const OTHER_PROTOCOL = /no application protocol/i;

/** The error for the user, with what to check where the very first request got no response. */
export function lostRunError(
  error: TargetLostError,
  access: TargetAccess,
  judgeable: boolean,
  names: InputNames,
): LostRunError {
  if (judgeable) return new LostRunError(error.message, judgeable);
  const { outcome } = error.exchange;
  const otherProtocol = outcome.kind === 'no-response' ? otherProtocolSentence(outcome.detail) : undefined;
  const message = otherProtocol ?? `${error.message} ${advice(error, access, names)}`;
  return new LostRunError(message, judgeable);
}

/** The sentence about a target that speaks another protocol than its address says, if it does. */
function otherProtocolSentence(detail: string): string | undefined {
  if (NOT_TLS.test(detail)) {
    return 'The target could not be reached: it does not speak TLS at this address; check the port, or begin the address with http://.';
  }
  if (OTHER_PROTOCOL.test(detail)) {
    return 'The target could not be reached: it does not speak HTTP/1.1, which the run uses; enable HTTP/1.1 there, or in a gateway in front of it.';
  }
  return undefined;
}

function advice({ exchange }: TargetLostError, access: TargetAccess, names: InputNames): string {
  const proxy = access.proxied
    ? ' The proxy of the environment is in use (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).'
    : '';
  return `${whatToCheck(exchange, access, names)}${proxy}`;
}

/** What to check when the very first request got no response. */
function whatToCheck(
  { outcome }: TargetLostError['exchange'],
  { certificateAuthority }: TargetAccess,
  names: InputNames,
): string {
  const { cause, detail = '' } = outcome.kind === 'no-response' ? outcome : {};
  switch (cause) {
    case 'tls':
      return (
        tlsAdvice(detail, {
          given: certificateAuthority !== undefined,
          input: names.ca,
        }) ?? 'Check its certificate and its versions of TLS.'
      );
    case 'dns':
      return 'Check the spelling of the host name.';
    case 'refused':
      return 'Check that the server is running, and the host and port.';
    case 'malformed':
      return 'Leave the status line to the HTTP library of the service, or to its gateway.';
    case 'protocol':
    case 'reset':
      return 'Check whether the address begins with the right one of http:// and https://, and whether the server speaks HTTP/1.1 and not only HTTP/2.';
    default:
      return 'A service that starts with its first request may need longer: run again once it responds. Otherwise check the address, and whether a firewall or a proxy blocks the way.';
  }
}
