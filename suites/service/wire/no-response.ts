import type { NoResponse, NoResponseCause } from '../../../kernel/exchanges/exchange.ts';

/** The code of an error about a response of HTTP whose status line no client reads. */
export const UNREADABLE_HEAD = 'UNREADABLE_HEAD';

const causes: Readonly<Record<string, NoResponseCause>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_NODATA: 'dns',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  [UNREADABLE_HEAD]: 'malformed',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'protocol',
};

const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/;

/** Why no response came, by the network error, with the text of that error. Never throws. */
export function noResponseOf(error: unknown): Pick<NoResponse, 'cause' | 'detail'> {
  const inner = innermost(error);
  const code = codeOf(inner);
  return { cause: causeOf(code, inner), detail: reasonOf(inner) ?? detailOf(inner, code) };
}

const detailOf = (error: unknown, code: string | undefined): string =>
  error instanceof Error ? error.message || (code ?? error.name) : String(error);

/** OpenSSL's own reason. The rest of its message names threads and source lines. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !error.message.includes(':SSL routines:') || !('reason' in error))
    return undefined;
  return typeof error.reason === 'string' ? error.reason : undefined;
}

function causeOf(code: string | undefined, error: unknown): NoResponseCause {
  if (error instanceof Error && error.cause === 'timeout') return 'timeout';
  if (code === undefined) return 'protocol';
  if (TLS_CODES.test(code)) return 'tls';
  return causes[code] ?? 'protocol';
}

/** Node reports a host with several addresses as an AggregateError. Its last error is the relevant one. */
function innermost(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors.at(-1));
  if (error instanceof Error && error.cause instanceof Error) return innermost(error.cause);
  return error;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
