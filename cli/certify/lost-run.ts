import type { TargetLostError } from '../../suites/index.ts';
import { UserError } from '../../words/user-error.ts';
import { unknownAuthority } from '../certificate-authority.ts';
import type { Reach } from '../subject.ts';
import type { Recording } from './recording.ts';

/** A run that lost its target, and whether anything was recorded that can be judged. */
export class LostRunError extends UserError {
  readonly judgeable: boolean;
  constructor(message: string, judgeable: boolean) {
    super(message);
    this.judgeable = judgeable;
  }
}

/** How OpenSSL names an answer that is no TLS. */
const NOT_TLS = /wrong version number|packet length too long/i;

/** How OpenSSL names a server that agreed to no protocol of those that it was offered: HTTP/1.1. */
const OTHER_PROTOCOL = /no application protocol/i;

/** How Node names a certificate that has had its day, or has it yet to come. */
const OUT_OF_DATE = /certificate has expired|not yet valid/i;

/** How Node names a certificate of somebody else. */
const OTHER_NAME = /does not match certificate's altnames/i;

/** What to say of a run that lost its target, with what the user may check. */
export function lostRun(error: TargetLostError, reach: Reach, { judgeable, path }: Recording): LostRunError {
  const { outcome } = error.exchange;
  const foreign = outcome.kind === 'no-response' ? foreignProtocol(outcome.detail) : undefined;
  if (!judgeable && foreign !== undefined) {
    return new LostRunError(`The target could not be reached: ${foreign}`, judgeable);
  }
  const rest = judgeable
    ? `What was answered until then is judged beside the journal, ${path}.`
    : advice(error, reach);
  return new LostRunError(`${error.message} ${rest}`, judgeable);
}

/** What to say of a target that speaks something else than it was addressed in, if it does. */
function foreignProtocol(detail: string): string | undefined {
  if (NOT_TLS.test(detail))
    return 'it does not speak TLS there: check the port, or begin the address with http://.';
  if (OTHER_PROTOCOL.test(detail))
    return 'it does not speak HTTP/1.1, which the examination is made in: let it, or a gateway in front of it, speak HTTP/1.1 beside HTTP/2.';
  return undefined;
}

/** What to check when the very first request got no answer. */
function advice({ exchange }: TargetLostError, { proxied, ca }: Reach): string {
  const { cause, detail = '' } = exchange.outcome.kind === 'no-response' ? exchange.outcome : {};
  const proxy = proxied ? ' A proxy of the environment is in use (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).' : '';
  switch (cause) {
    case 'tls':
      if (OUT_OF_DATE.test(detail)) return `Renew its certificate, or set this machine's clock.${proxy}`;
      if (OTHER_NAME.test(detail)) return `Address it by a name that its certificate holds.${proxy}`;
      return `${unknownAuthority(ca !== undefined)}${proxy}`;
    case 'dns':
      return `Check the spelling of the host's name.${proxy}`;
    case 'refused':
      return `Check that it is running, and its host and port.${proxy}`;
    case 'protocol':
    case 'reset':
      return `Check that it speaks HTTP/1.1 there, not HTTP/2 alone, and whether the address begins with http:// or https://.${proxy}`;
    default:
      return `Check the address, and whether a firewall or a proxy stands in between.${proxy}`;
  }
}
