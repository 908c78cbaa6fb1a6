import type { Shape, Static } from '../basics/shape.ts';
import {
  about,
  count,
  exactly,
  flag,
  leaf,
  listOf,
  matching,
  maybe,
  named,
  number,
  object,
  orNull,
  position,
  text,
  union,
  where,
} from '../basics/shape.ts';

// The nouns of what was sent and received. Everything here is plain data that survives a trip through the journal
// unchanged.

/** One header line as it was on the wire, in its own casing and order. */
export type HeaderLine = readonly [name: string, value: string];

const headerLine = leaf<HeaderLine>(
  (value) =>
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    typeof value[1] === 'string',
  'a name and a value',
  { type: 'array', prefixItems: [{ type: 'string' }, { type: 'string' }], items: false, minItems: 2 },
);
export const headersShape = named(
  'headers',
  about(
    'Header lines as they stood on the wire: name and value, in their own order and casing.',
    listOf(headerLine),
  ),
);

/** Whose key a request carried, never the key itself. */
export type Caller =
  | 'key'
  | 'unspecified'
  | 'other'
  | 'exhausted'
  | 'disposable'
  | 'unauthenticated'
  | `plan:${string}`;

const caller = about(
  'Whose key the request carried, never the key itself. key: the key under test. other: of another caller. exhausted: no quota of its day is left. disposable: may be banned. plan:NAME: of a further plan. unspecified: the key under test in a form that the specification leaves open, so that it may or may not count. unauthenticated: no valid key, or one in the wrong place.',
  matching<Caller>(
    /^(?:key|other|exhausted|disposable|unspecified|unauthenticated|plan:[\p{L}\p{N}][\p{L}\p{N} ._-]*)$/u,
    'the name of a caller',
  ),
);

const encoding = named(
  'encoding',
  about('base64 where the bytes are not valid UTF-8.', exactly('utf8', 'base64')),
);

const completeBodyShape = named(
  'wholeBody',
  object('A body that arrived and was kept from its first byte to its last.', {
    text: about('The body, in the encoding that the next field names.', text),
    encoding,
    bytes: about('How many bytes it has.', count),
    cut: exactly(false),
  }),
);
const bodyExcerpt = named(
  'bodyExcerpt',
  object('What was kept of a body that broke off or was too large. It is never judged.', {
    excerpt: about('Its beginning, in the encoding that the next field names.', text),
    encoding,
    bytes: about('How many bytes came in all, before anything was cut.', count),
    cut: exactly(true),
  }),
);
export const bodyShape = union('cut', completeBodyShape, bodyExcerpt);

/** A body that arrived and was kept from its first byte to its last: a judge can read it. */
export type CompleteBody = Static<typeof completeBodyShape>;
/** What was kept of a body that broke off or was too large: for a person to look at, never to be judged. */
export type BodyExcerpt = Static<typeof bodyExcerpt>;
export type Body = Static<typeof bodyShape>;

export const instantShape = named(
  'instant',
  object('A moment on both clocks of the testing machine, in milliseconds.', {
    wall: about('Since the Unix epoch.', number),
    mono: about('On a clock that never goes back; only differences mean anything.', number),
  }),
);
/** A moment on both clocks, in milliseconds. Intervals are measured on `mono` only. */
export type Instant = Static<typeof instantShape>;

const answer = where(
  object({
    kind: exactly('answer'),
    status: about('HTTP status.', count),
    headers: headersShape,
    body: bodyShape,
    broken: about('Why the body did not arrive completely, although the head did.', maybe(text)),
    unreadable: about(
      'Why no client reads the body, although it reads the head: a clause with the section of an RFC.',
      maybe(text),
    ),
    irregular: about(
      'What strict clients reject in this response and lenient ones read: clauses, each with its section of an RFC.',
      maybe(listOf(text)),
    ),
    decoded: about(
      'The content codings that were undone before the body was kept; absent where the body is as it arrived.',
      maybe(text),
    ),
  }),
  ({ body, broken, unreadable }) => body.cut || (broken === undefined && unreadable === undefined),
  'must hold an excerpt of a body that cannot be read completely',
  {
    if: { anyOf: [{ required: ['broken'] }, { required: ['unreadable'] }] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { body: { $ref: '#/$defs/bodyExcerpt' } } },
  },
);
export type Answer = Static<typeof answer>;

const recordedCause = exactly('refused', 'dns', 'tls', 'reset', 'timeout', 'malformed', 'protocol');
/** Why no response came. `locked-out` never stands in a journal: a judge sets such a response aside, and `detail` says what it was. */
export type NoResponseCause = Static<typeof recordedCause> | 'locked-out';

const noResponse = object({
  kind: exactly('no-response'),
  cause: about(
    '"refused", dns and tls: no connection was made. malformed: a response of HTTP came whose head cannot be read. protocol: something else came.',
    recordedCause as Shape<NoResponseCause>,
  ),
  detail: about('The error of the network, for a person.', text),
});
export type NoResponse = Static<typeof noResponse>;

export const connectionShape = object('The connection that carried the request.', {
  id: about('Number, in the order of opening.', count),
  fresh: about('Whether this request opened it.', flag),
});

const request = object('What was sent.', {
  method: text,
  target: about('Path and query, relative to the origin; keys replaced by their names.', text),
  headers: headersShape,
  body: orNull(completeBodyShape),
});
export type Request = Static<typeof request>;

export const exchangeShape = named(
  'exchange',
  object('One request and what became of it.', {
    kind: exactly('exchange'),
    n: about('Position among the exchanges of the run, from 1.', position),
    probe: about('The probe that sent it.', text),
    step: about('The step of the probe that sent it.', text),
    caller,
    connection: connectionShape,
    request,
    sent: instantShape,
    received: instantShape,
    outcome: union(
      'kind',
      named('answer', about('The target answered.', answer)),
      named('no-response', about('The target did not answer.', noResponse)),
    ),
  }),
);
export type Exchange = Static<typeof exchangeShape> & {
  /** The number of the exchange whose response a cache shows here once more: worked out from all of them (`markStored`), never recorded. */
  readonly shownAgain?: number;
  /** A rejection at a path that is closed without a key: worked out from all of them (`markClosed`), never recorded. */
  readonly behindAuthentication?: true;
};

/** Whether an exchange is of one of the two operations whose shapes the specification shows: list and create categories. */
export function isDocumentedOperation(exchange: Exchange): boolean {
  const { target } = exchange.request;
  const query = target.indexOf('?');
  return target.endsWith('/categories', query === -1 ? target.length : query);
}

/** The operation as a router tells them apart: `GET /v1/categories`. */
export const operationOf = ({ request }: Exchange): string =>
  `${request.method} ${request.target.split('?')[0]}`;
