import type { Shape } from '../../kernel/basics/shape.ts';
import { maybe, object, orNull, union } from '../../kernel/basics/shape.ts';
import { exactly, number, text } from '../../kernel/basics/simple-shapes.ts';
import type { KeyAlias, Step } from './profile.ts';

// What the script of k6 writes about each request. It is not part of the script, which needs no more than its types.

const key = text as Shape<KeyAlias>;

/** What the script saw in the body of a 200 or 201. Texts are the target's own, bounded in length. */
export const bodyReading = union(
  'kind',
  /** A JSON list in which every item has an id and a name. */
  object({ kind: exactly('list') }),
  /** A category with an id and a name, which is not the name of another request of the run. `id` is absent where it cannot be kept exactly. */
  object({ kind: exactly('category'), id: maybe(text) }),
  object({
    kind: exactly('wrong'),
    problem: exactly('not JSON', 'no list of categories', 'no category', 'category of another request'),
    /** The beginning of the body. */
    excerpt: text,
  }),
);

/** What came back. Header values are the target's own text, bounded in length, undefined where absent. */
export const sampleOutcome = union(
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

/** Why a scenario stops before its end. */
export const stopReason = exactly(
  /** 401 or 403 for a key that was accepted before. */
  'banned',
  /** Several 5xx in a row. */
  'server errors',
  /** Several requests in a row without a response. */
  'unreachable',
  /** Several responses in a row that k6 cannot read. */
  'malformed responses',
  /** The Limit header states neither number of the plan: the key has another plan, or the target is wrong. */
  'wrong plan',
  /** The first response is not one of the service. */
  'wrong target',
  /** The wait that the target asks for is longer than any conforming limiter of the plan requires. */
  'wait too long',
  /** The script itself failed. */
  'script error',
);

/** What a scenario did besides sending: it waits, it stopped early, or it finished. */
export const scenarioEvent = union(
  'kind',
  object({ kind: exactly('waiting'), key, at: number, untilMs: number, because: text }),
  object({ kind: exactly('stopped'), key, at: number, because: stopReason, detail: text }),
  object({ kind: exactly('finished'), key, at: number, requests: number }),
);
