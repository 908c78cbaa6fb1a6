import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type {
  ArrivalLine,
  ClientJournalLine,
  PlannedStart,
  ResponseLine,
  StallLine,
  StartLine,
} from '../model/journal.ts';
import { hasKeyIn, isFromClient, KEY, targetWithout } from '../model/sender.ts';

/** A request of the client: its arrival, and the response where one was written. */
export interface ClientRequest {
  readonly arrival: ArrivalLine;
  readonly response: ResponseLine | undefined;
  /** Both as an exchange, as judgements cite it; its target is without the prefix of the start. */
  readonly exchange: Exchange;
  /** Whether the key stands anywhere in its head. */
  readonly keyed: boolean;
  /** Whether the client may not have read the response, because it reset the connection: nothing follows from such a one. */
  readonly unread: boolean;
}

export type StartOfRequest = PlannedStart & Pick<StartLine, 'prefix'>;

export function requestsOf(
  lines: readonly ClientJournalLine[],
  starts: ReadonlyMap<number, StartOfRequest>,
): readonly ClientRequest[] {
  const unread = new Set(lines.flatMap((line) => (line.kind === 'reset' ? [line.n] : [])));
  const responses = new Map(lines.flatMap((line) => (line.kind === 'response' ? [[line.n, line]] : [])));
  return lines
    .filter((line) => line.kind === 'arrival')
    .map((arrival) => {
      const response = responses.get(arrival.n);
      const keyed = [arrival.target, ...arrival.headers.map(([, value]) => value)].some((text) =>
        text.includes(KEY),
      );
      const exchange = exchangeOf(arrival, response, keyed, starts.get(arrival.start));
      return { arrival, response, keyed, exchange, unread: unread.has(arrival.n) };
    });
}

/** For certain: by head or body, or because another one that it sent came on the same connection. */
export function requestsOfClient(
  requests: readonly ClientRequest[],
  prefix: string | undefined,
): readonly ClientRequest[] {
  const connections = new Set(
    requests.filter((one) => showsClient(one, prefix)).map(({ arrival }) => arrival.connection.id),
  );
  return requests.filter(({ arrival }) => connections.has(arrival.connection.id));
}

function showsClient({ arrival, response }: ClientRequest, prefix: string | undefined): boolean {
  if (isFromClient(arrival, prefix)) return true;
  const body = response?.requestBody ?? null;
  return body !== null && hasKeyIn(body.cut ? body.excerpt : body.text);
}

export const isLimited = ({ response }: ClientRequest): boolean => response?.status === 429;

/** From the 429 response to a request to a later one, in milliseconds. */
export const pauseAfter = (limited: ClientRequest, later: ClientRequest): number =>
  later.arrival.at.mono - (limited.response?.at.mono ?? 0);

function exchangeOf(
  { n, connection, method, target, headers, at }: ArrivalLine,
  response: ResponseLine | undefined,
  keyed: boolean,
  start: StartOfRequest | undefined,
): Exchange {
  const body = response?.requestBody ?? null;
  return {
    kind: 'exchange',
    n,
    probe: start?.scenario ?? 'unknown scenario',
    step: `repetition ${start?.repetition ?? 0}`,
    caller: keyed ? 'key' : 'unauthenticated',
    connection,
    request: {
      method,
      target: targetWithout(start?.prefix, target),
      headers,
      // What was not kept completely is nothing to judge.
      body: body === null || body.cut ? null : body,
    },
    sent: at,
    received: response?.at ?? at,
    outcome: outcomeOf(response),
  };
}

function outcomeOf(response: ResponseLine | undefined): Exchange['outcome'] {
  if (response === undefined) return { kind: 'no-response', cause: 'timeout', detail: 'none was recorded' };
  const { status, headers, body } = response;
  const answer = { kind: 'answer', status, headers, body } as const;
  return body.cut ? { ...answer, broken: 'more than was kept' } : answer;
}

/** How long this program did not run between two moments, in milliseconds. */
export const stalledWithin = (from: number, until: number, stalls: readonly StallLine[]): number =>
  stalls.reduce((sum, { at, milliseconds }) => {
    const overlap = Math.min(until, at.mono) - Math.max(from, at.mono - milliseconds);
    return sum + Math.max(0, overlap);
  }, 0);
