import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { ClientCertificate } from '../wire/http-wire.ts';
import type { Keys } from '../wire/keyring.ts';

/** How a target is reached, and with which keys. */
export interface TargetAccess {
  /** Without a slash at its end. */
  readonly baseUrl: URL;
  readonly keys: Keys;
  /** PEM text of a certificate authority to trust besides the built-in ones. */
  readonly certificateAuthority: string | undefined;
  /** What the run shows a target or gateway that asks for a certificate of the client. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Header lines that a gateway in front of the target wants on every request. */
  readonly headers: readonly HeaderLine[];
  /** Whether `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply. */
  readonly proxied: boolean;
  /** The server that comes with this program, which a certificate must not be about. */
  readonly bundled?: true;
}
