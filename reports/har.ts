import { bodyTextForPeople, isLeftOut } from '../kernel/exchanges/body.ts';
import type { Body, Exchange, HeaderLine } from '../kernel/exchanges/exchange.ts';
import { headerValue } from '../kernel/exchanges/headers.ts';
import type { RunLine } from '../suites/service/model/journal.ts';
import { jsonText } from './files.ts';

/**
 * The exchanges of a journal as a HAR 1.2 file, for tools that read HTTP archives. Keys are their names, as in the
 * journal. What the journal does not record is -1, as HAR has it. Fields that begin with an underscore are ours: the
 * number of the exchange, its probe and step, the caller, and why no response came.
 */
export function renderHar(run: RunLine, exchanges: readonly Exchange[]): string {
  const creator = { name: run.suite.name, version: run.suite.version };
  return jsonText({
    log: { version: '1.2', creator, pages: [], entries: exchanges.map((one) => entryOf(one, run)) },
  });
}

function entryOf(exchange: Exchange, run: RunLine): object {
  const { n, probe, step, caller, connection, sent, received, outcome } = exchange;
  const milliseconds = Math.max(0, received.mono - sent.mono);
  return {
    startedDateTime: new Date(sent.wall).toISOString(),
    time: milliseconds,
    request: requestOf(exchange, run),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    connection: String(connection.id),
    _exchange: n,
    _probe: probe,
    _step: step,
    _caller: caller,
    ...(outcome.kind === 'no-response' ? { _noResponse: outcome.cause } : {}),
  };
}

function requestOf({ request }: Exchange, { target }: RunLine): object {
  const { body } = request;
  const origin = new URL(target.baseUrl).origin;
  const url = `${origin}${asUri(request.target)}`;
  return {
    method: request.method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headersOf(request.headers),
    queryString: queryOf(request.target),
    ...(body === null
      ? {}
      : { postData: { mimeType: headerValue(request.headers, 'Content-Type') ?? '', text: body.text } }),
    headersSize: -1,
    bodySize: body?.bytes ?? 0,
  };
}

/** What RFC 3986 does not permit in a URI, such as the name of a key in a query, in percent-encoding; HAR requires a URI. */
const asUri = (target: string): string =>
  target.replace(/%(?![0-9a-f]{2})|[^\w\-.~:/?#@!$&'()*+,;=%]/giu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );

function queryOf(target: string): readonly object[] {
  const query = target.includes('?') ? target.slice(target.indexOf('?') + 1) : '';
  return query === ''
    ? []
    : query.split('&').map((part) => {
        const [name = '', ...value] = part.split('=');
        return { name, value: value.join('=') };
      });
}

function responseOf({ outcome }: Exchange): object {
  // A response that never came has the status 0, as in the archives of browsers.
  const answer = outcome.kind === 'answer' ? outcome : undefined;
  const headers = answer?.headers ?? [];
  return {
    status: answer?.status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headersOf(headers),
    content: contentOf(answer?.body, headerValue(headers, 'Content-Type') ?? ''),
    redirectURL: headerValue(headers, 'Location') ?? '',
    headersSize: -1,
    bodySize: answer?.body.bytes ?? -1,
    ...(outcome.kind === 'no-response' ? { comment: outcome.detail } : {}),
  };
}

function contentOf(body: Body | undefined, mimeType: string): object {
  if (body === undefined) return { size: 0, mimeType };
  const { bytes, encoding, cut } = body;
  if (isLeftOut(body))
    return { size: bytes, mimeType, comment: 'The body is not UTF-8 and was not recorded.' };
  return {
    size: bytes,
    mimeType,
    text: bodyTextForPeople(body),
    ...(encoding === 'base64' ? { encoding } : {}),
    ...(cut ? { comment: 'Only the beginning of the body was kept.' } : {}),
  };
}

const headersOf = (headers: readonly HeaderLine[]): readonly object[] =>
  headers.map(([name, value]) => ({ name, value }));
