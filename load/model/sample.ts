import type { Shape, Static } from '../../kernel/basics/shape.ts';
import { exactly, maybe, number, object, orNull, text, union } from '../../kernel/basics/shape.ts';
import type { Answer, HeaderLine } from '../../kernel/exchanges/exchange.ts';
import type { KeyAlias, Step } from './profile.ts';

// What the script of k6 writes about each request. It is not part of the script, which needs no more than its types.

const key = text as Shape<KeyAlias>;

/** What the script saw in the body of a 200 or 201. Texts are the target's own, bounded in length. */
const bodyReading = union(
  'kind',
  /** A JSON list in which every item has an id and a name. */
  object({ kind: exactly('list') }),
  /** A category with an id and a name, which is not the name of another request of the run. `id` is absent where it cannot be kept exactly. */
  object({ kind: exactly('category'), id: maybe(text) }),
  object({
    kind: exactly('wrong'),
    problem: exactly('not JSON', 'no list of categories', 'no category', 'category of another request'),
    excerpt: text,
  }),
);

/** What came back. Header values are the target's own text, bounded in length, undefined where absent. */
const sampleOutcome = union(
  'kind',
  object({
    kind: exactly('answer'),
    status: number,
    limit: maybe(text),
    remaining: maybe(text),
    reset: maybe(text),
    retryAfter: maybe(text),
    date: maybe(text),
    age: maybe(text),
    xCache: maybe(text),
    /** Of a 200 or 201 whose body was read. */
    body: maybe(bodyReading),
  }),
  /** No response; k6's error text. */
  object({ kind: exactly('no-response'), error: text }),
);

/** One request of a load run as the script recorded it. All times are milliseconds since the Unix epoch on the machine of k6. */
export const sampleShape = object({
  key,
  /** Position among the requests of the key, from 1. */
  n: number,
  /** The step that sent it: its position in the scenario, from 0, and its kind. */
  step: number,
  kind: text as Shape<Step['kind']>,
  operation: exactly('list', 'create'),
  /** The intended send time; null where the responses before it decide when it is sent. */
  planned: orNull(number),
  /** Not after the first byte left. */
  sent: number,
  /** Not before the last byte arrived. */
  received: number,
  /** A connection was opened for it. */
  opened: maybe(exactly(true)),
  outcome: sampleOutcome,
});

/** Why a scenario stops before its end, in the words of a sentence. */
const STOPS = {
  /** 401 or 403 for a key that was accepted before. */
  banned: 'the key was banned',
  /** Several 5xx in a row. */
  'server errors': 'the target returns server errors',
  /** Several requests in a row without a response. */
  unreachable: 'the target stopped responding',
  /** Several responses in a row that k6 cannot read. */
  'malformed responses': 'k6 cannot read the responses of the target',
  /** The Limit header states neither number of the plan: the key has another plan, or the target is wrong. */
  'wrong plan': 'the Limit is not that of the plan',
  /** The first response is not one of the service. */
  'wrong target': 'the target is not the service',
  /** The wait that the target asks for is longer than any conforming limiter of the plan requires. */
  'wait too long': 'the wait is too long',
  'script error': 'the script failed',
} as const;

const stopReason = exactly(...(Object.keys(STOPS) as (keyof typeof STOPS)[]));

/** What a scenario did besides sending: it waits, it stopped early, or it finished. */
export const scenarioEvent = union(
  'kind',
  object({ kind: exactly('waiting'), key, at: number, untilMs: number, because: text }),
  object({ kind: exactly('stopped'), key, at: number, because: stopReason, detail: text }),
  object({ kind: exactly('finished'), key, at: number, requests: number }),
);

export type Sample = Static<typeof sampleShape>;
export type SampleOutcome = Static<typeof sampleOutcome>;
export type BodyReading = Static<typeof bodyReading>;

export const statusOf = ({ outcome }: Sample): number | undefined =>
  outcome.kind === 'answer' ? outcome.status : undefined;

export function isAccepted(sample: Sample): boolean {
  const status = statusOf(sample) ?? 0;
  return status >= 200 && status < 300;
}

export const isRateLimited = (sample: Sample): boolean => statusOf(sample) === 429;

/** Whether a request got a 5xx or no response. */
export const isError = (sample: Sample): boolean => (statusOf(sample) ?? 500) >= 500;

export type ScenarioEvent = Static<typeof scenarioEvent>;
export type StopReason = Static<typeof stopReason>;

export const stopText = ({
  because,
  detail,
}: Pick<Extract<ScenarioEvent, { kind: 'stopped' }>, 'because' | 'detail'>): string =>
  `${STOPS[because]} (${detail})`;

export interface Trace {
  readonly samples: readonly Sample[];
  readonly events: readonly ScenarioEvent[];
  /** Each sample stands for so many requests of its key: of a long run only every n-th is kept. Absent where all are. */
  readonly oneOf?: number;
}

export interface KeyTrace extends Pick<Trace, 'samples' | 'events'> {
  readonly key: KeyAlias;
}

/**
 * How k6, and Go beneath it, call a response that came and that they cannot read: its head, its chunks, its content
 * coding, or a switch of protocols. Go 1.26 and k6 2.2 word them so.
 */
const MALFORMED =
  /too many transfer encodings|unsupported transfer encoding|cannot contain multiple Content-Length|(?:bad|invalid empty) Content-Length|malformed (?:HTTP|MIME header|chunked)|chunk(?:ed)? (?:length|line)|error decompressing response body|unsupported response status/i;

/** Whether this error of k6 is about a response that came: the network lost nothing then. Certify judges its bytes (HTTP-4, MEDIA-1). */
export const isMalformed = (error: string): boolean => MALFORMED.test(error);

/** The headers that a sample keeps, each with its field. */
export const KEPT_HEADERS = [
  ['limit', 'X-RateLimit-Limit'],
  ['remaining', 'X-RateLimit-Remaining'],
  ['reset', 'X-RateLimit-Reset'],
  ['retryAfter', 'Retry-After'],
  ['date', 'Date'],
  ['age', 'Age'],
  ['xCache', 'X-Cache'],
] as const;

/** A response as that of an exchange, so that the same functions read its headers. Bodies are not recorded. */
export const answerOf = (outcome: SampleOutcome & { readonly kind: 'answer' }): Answer => ({
  kind: 'answer',
  status: outcome.status,
  headers: KEPT_HEADERS.flatMap(([field, name]): readonly HeaderLine[] => {
    const value = outcome[field];
    return value === undefined ? [] : [[name, value]];
  }),
  body: { excerpt: '', encoding: 'utf8', bytes: 0, cut: true },
});
