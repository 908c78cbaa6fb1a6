/**
 * One thing that conforming implementations do in different ways, and that a
 * test written for one of them takes for a violation. `testedElsewhere` says
 * where it is tested if no variant is an example of it.
 */
export interface Topic {
  readonly title: string;
  readonly testedElsewhere?: string;
}

const ALGORITHM = (name: string) => `the server’s \`--algorithm ${name}\``;

/** Every topic, by its permanent number. */
export const topics = {
  K01: { title: 'Retry-After as an HTTP-date' },
  K02: { title: 'Retry-After as an HTTP-date in an obsolete form' },
  K03: { title: 'header names in lower case' },
  K04: { title: 'Retry-After on responses other than 429' },
  K05: { title: 'Retry-After constant, or longer than needed' },
  K06: { title: 'Retry-After one second longer than the wait' },
  K07: { title: 'a penalty for the one request beyond the limit' },
  K08: { title: 'Retry-After rounded down' },
  K09: { title: 'windows aligned to the clock', testedElsewhere: ALGORITHM('fixed-window') },
  K10: {
    title: 'a window from the first request',
    testedElsewhere: `${ALGORITHM('fixed-window-from-first')}, the default`,
  },
  K11: { title: 'aligned windows with a different offset for each key' },
  K12: { title: 'a sliding log, which may slide in steps' },
  K13: { title: 'a sliding counter' },
  K14: { title: 'a token bucket as large as the limit', testedElsewhere: ALGORITHM('token-bucket') },
  K15: { title: 'a token bucket whose Reset is the time of the next token' },
  K16: {
    title: 'a token bucket whose Reset is the time at which it is full',
    testedElsewhere: `${ALGORITHM('token-bucket')} and \`gcra\``,
  },
  K17: { title: 'a token bucket that is smaller than the limit' },
  K18: { title: 'an additional limit per second' },
  K19: { title: 'a limiter that delays requests instead of sending 429' },
  K20: { title: 'headers that describe the day' },
  K21: { title: 'headers that describe the window with fewer requests left, minute or day' },
  K22: { title: 'a Limit that changes between responses' },
  K23: { title: 'a 429 of the minute with Remaining above 0, since the headers describe the day' },
  K24: { title: 'Reset rounded down, up, or up plus one second' },
  K25: { title: 'a Reset that varies within one window' },
  K26: { title: 'Reset with decimals' },
  K27: { title: 'a clock that is wrong by hours' },
  K28: { title: 'a limiter’s store whose clock is wrong by a second' },
  K29: { title: 'no Date' },
  K30: { title: 'a 401 with the limit of unauthenticated clients' },
  K31: { title: '401 responses counted by address' },
  K32: { title: '401 responses that are not counted' },
  K33: { title: '400 responses counted, not counted, or counted and refunded' },
  K34: { title: 'requests during the wait that make it longer' },
  K35: { title: 'a temporary ban, with any status' },
  K36: { title: 'no bans', testedElsewhere: 'the server’s default (`--ban` enables them)' },
  K37: { title: 'responses out of order under concurrency' },
  K38: { title: 'a key that was used shortly before' },
  K39: { title: 'a key that gets 429 on its first request' },
  K40: { title: 'a key whose daily quota is exhausted' },
  K41: { title: 'a rolling day whose requests expire as fast as new ones are sent' },
  K42: { title: 'fields beyond those of the specification' },
  K43: { title: 'no description where none was sent', testedElsewhere: 'the server’s default' },
  K44: { title: 'an empty description where none was sent' },
  K45: { title: 'a null description where none was sent' },
  K46: { title: 'ids beyond 2^53' },
  K47: { title: 'ids that are negative, zero and far apart' },
  K48: { title: 'ids written with a fraction or an exponent' },
  K49: { title: 'application/json in other spellings, and with parameters' },
  K50: { title: 'application/problem+json' },
  K51: { title: 'chunked bodies, without Content-Length' },
  K52: { title: 'compressed bodies for clients that accept them' },
  K53: { title: 'connections that the server closes' },
  K54: {
    title: 'only TLS 1.3; only HTTP/2',
    testedElsewhere:
      'the tests of whole runs, which create the certificate that TLS needs; a target with HTTP/2 only is reported as unreachable, since the harness speaks HTTP/1.1',
  },
  K55: { title: 'interim responses, 100 and 103, before the final one' },
  K56: { title: 'a long list from the start' },
  K57: { title: 'a list whose order changes' },
  K58: { title: 'other clients that create and delete categories' },
  K59: { title: 'a paginated list' },
  K60: { title: 'an eventually consistent list' },
  K61: { title: 'names that must be unique' },
  K62: { title: 'names that are trimmed' },
  K63: { title: 'names and descriptions of limited length' },
  K64: { title: 'empty names, rejected or accepted' },
  K65: { title: 'other 4xx statuses for malformed JSON, other media types and missing bodies' },
  K66: { title: 'a 201 with Location' },
  K67: { title: '404 and 405 without rate-limit headers' },
  K68: { title: 'any body in a 429' },
  K69: { title: 'a 401 without WWW-Authenticate' },
  K70: { title: 'additional RateLimit headers' },
  K71: { title: 'the same header line twice' },
  K72: { title: 'two keys of one account with one limit' },
  K73: {
    title: 'an agreed custom limit',
    testedElsewhere: 'a plan file (`--plans`), since only the user knows what was agreed',
  },
  K74: { title: 'a server so slow that the limit is never reached' },
  K75: { title: 'Retry-After: 0 where the client can retry at once' },
  K76: { title: 'characters that names and descriptions may contain' },
  K77: { title: 'rejection of fields that NewCategory does not have' },
  K78: { title: 'a maximum number of categories' },
  K79: { title: 'whitespace before the JSON of a body' },
  K80: { title: 'answers to other paths and methods without a key' },
  K81: { title: 'operations that are only named: absent, answered, or unknown to the gateway' },
  K82: { title: 'codes of any form' },
  K83: { title: 'cookies that are no credentials' },
  K84: { title: 'conditional requests' },
  K85: { title: 'keys compared without case' },
  K86: { title: 'a cache behind the limiter' },
  K87: { title: 'lockouts after requests without a valid key' },
  K88: { title: 'an outage at the end of the quota' },
} as const satisfies Readonly<Record<string, Topic>>;

/** The number of a topic. */
export type TopicId = keyof typeof topics;
