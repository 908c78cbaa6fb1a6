import type { Malformed, Request } from '../service/message.ts';
import { headerValues } from '../service/message.ts';

/** The largest head that the service accepts, in bytes (16 KiB): request line and header lines together. */
export const MAX_HEAD_BYTES = 16_384;

/** RFC 9112 §3.2: `uri-host [ ":" port ]` of RFC 3986, or nothing. */
const HOST = /^(\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i;

/** The bytes of a request line and of a header line beside method, target, name and value. */
const REQUEST_LINE_SYNTAX = '  HTTP/1.1\r\n'.length;
const HEADER_LINE_SYNTAX = ': \r\n'.length;

const problem = (status: number, code: string, message: string): Malformed => ({ status, code, message });

const VERSION = problem(505, 'http_version_not_supported', 'This service speaks HTTP/1.1 and HTTP/1.0.');
const TARGET = problem(414, 'target_too_long', `The request target is longer than ${MAX_HEAD_BYTES} bytes.`);
const HEADERS = problem(
  431,
  'headers_too_large',
  `The head of the request is larger than ${MAX_HEAD_BYTES} bytes.`,
);
const NO_HOST = problem(400, 'host_required', 'An HTTP/1.1 request needs a Host header.');
const BAD_HOST = problem(
  400,
  'invalid_host',
  'A request has exactly one Host header: a host, with or without a port.',
);
const FRAMING = problem(400, 'malformed_http', 'HTTP/1.0 has no Transfer-Encoding.');
const CODING = problem(501, 'transfer_coding_not_implemented', 'The only transfer coding is chunked.');

/**
 * Why a request with this head is rejected before it is routed:
 * RFC 9110 §15.6.6 (version), RFC 9110 §15.5.15 and RFC 6585 §5 (size),
 * RFC 9112 §3.2 (Host), RFC 9112 §6.1 (Transfer-Encoding).
 * @param version as Node's parser reads it: `1.1`
 */
export function headProblem(request: Request, version: string): Malformed | undefined {
  if (version !== '1.1' && version !== '1.0') return VERSION;
  if (request.target.length > MAX_HEAD_BYTES) return TARGET;
  if (headBytes(request) > MAX_HEAD_BYTES) return HEADERS;
  return hostProblem(headerValues(request, 'Host'), version) ?? codingProblem(request, version);
}

function headBytes({ method, target, headers }: Request): number {
  let bytes = method.length + target.length + REQUEST_LINE_SYNTAX;
  for (const [name, value] of headers) bytes += name.length + value.length + HEADER_LINE_SYNTAX;
  return bytes;
}

function hostProblem([host, ...further]: readonly string[], version: string): Malformed | undefined {
  if (host === undefined) return version === '1.1' ? NO_HOST : undefined;
  return further.length > 0 || !HOST.test(host) ? BAD_HOST : undefined;
}

function codingProblem(request: Request, version: string): Malformed | undefined {
  const codings = headerValues(request, 'Transfer-Encoding');
  if (codings.length === 0) return undefined;
  if (version === '1.0') return FRAMING;
  return codings.join(',').toLowerCase() === 'chunked' ? undefined : CODING;
}

const NOT_HTTP = problem(400, 'malformed_http', 'This is not a complete HTTP request.');

/** What Node's parser and its timeouts reject, by error code; any other code is `NOT_HTTP`. */
const PARSER_PROBLEMS = new Map<string | undefined, Malformed>([
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    problem(408, 'request_timeout', 'The request did not arrive in full in time.'),
  ],
  ['HPE_HEADER_OVERFLOW', HEADERS],
]);

/** The response to what Node's parser or one of its timeouts rejected with this error code. */
export function parserProblem(code: string | undefined): Malformed {
  return PARSER_PROBLEMS.get(code) ?? NOT_HTTP;
}
