/**
 * The table of lawful services: everything that an implementation of the
 * specification may do and that an examination written for one implementation
 * takes for a violation. `elsewhere` says of a row where it is shown when no
 * variant shows it.
 */
export interface Row {
  readonly what: string;
  readonly elsewhere?: string;
}

const ALGORITHM = (name: string) => `the server’s \`--algorithm ${name}\``;

/** Every row, by its permanent number. */
export const rows = {
  K01: { what: 'Retry-After as an HTTP-date' },
  K02: { what: 'Retry-After as an HTTP-date in an obsolete form' },
  K03: { what: 'header names in lower case' },
  K04: { what: 'Retry-After on answers that refuse nothing' },
  K05: { what: 'Retry-After constant, or longer than needed' },
  K06: { what: 'Retry-After one second more than the wait' },
  K07: { what: 'a penalty for the one request beyond the limit' },
  K08: { what: 'Retry-After rounded down' },
  K09: { what: 'windows aligned to the clock', elsewhere: ALGORITHM('fixed-window') },
  K10: {
    what: 'a window from the first request',
    elsewhere: `${ALGORITHM('fixed-window-from-first')}, the default`,
  },
  K11: { what: 'aligned windows with a phase of their own for every key' },
  K12: { what: 'a sliding log', elsewhere: ALGORITHM('sliding-log') },
  K13: { what: 'a sliding counter', elsewhere: ALGORITHM('sliding-counter') },
  K14: { what: 'a token bucket as large as the limit', elsewhere: ALGORITHM('token-bucket') },
  K15: { what: 'a bucket whose Reset is the next token' },
  K16: {
    what: 'a bucket whose Reset is the moment when it is full',
    elsewhere: `${ALGORITHM('token-bucket')} and \`gcra\``,
  },
  K17: { what: 'a bucket that is smaller than the limit' },
  K18: { what: 'a cap for each second besides' },
  K19: { what: 'a limiter that queues and does not refuse' },
  K20: { what: 'headers that describe the day' },
  K21: { what: 'headers that describe the tighter of minute and day' },
  K22: { what: 'a Limit that flips between answers' },
  K23: { what: 'a 429 of the minute with Remaining above 0, since the headers describe the day' },
  K24: { what: 'Reset rounded down, up, or up and one more' },
  K25: { what: 'a Reset that jitters within one window' },
  K26: { what: 'Reset with decimals' },
  K27: { what: 'a clock that is off by hours' },
  K28: { what: 'a limiter’s store whose clock is off by a second' },
  K29: { what: 'no Date' },
  K30: { what: 'a 401 with the limit of an anonymous caller' },
  K31: { what: '401s counted by address' },
  K32: { what: '401s that are not counted' },
  K33: { what: '400s counted, not counted, or given back' },
  K34: { what: '429s that prolong the wait' },
  K35: { what: 'a temporary ban, told in any way' },
  K36: { what: 'no ban at all', elsewhere: 'the server’s default (`--ban` switches one on)' },
  K37: { what: 'answers out of order under concurrency' },
  K38: { what: 'a key that was used a moment ago' },
  K39: { what: 'a key that is refused at its first request' },
  K40: { what: 'a key whose day is spent' },
  K41: { what: 'a rolling day that gives back as fast as it is used' },
  K42: { what: 'fields beyond those of the specification' },
  K43: { what: 'no description where none was given', elsewhere: 'the server’s default' },
  K44: { what: 'an empty description where none was given' },
  K45: { what: 'a null description where none was given' },
  K46: { what: 'ids beyond 2^53' },
  K47: { what: 'ids negative, zero and far apart' },
  K48: { what: 'ids written with a fraction or an exponent' },
  K49: { what: 'application/json spelt otherwise, and with parameters' },
  K50: { what: 'application/problem+json' },
  K51: { what: 'bodies in chunks, without Content-Length' },
  K52: { what: 'bodies compressed when the client offers it' },
  K53: { what: 'connections that the server closes' },
  K54: {
    what: 'TLS 1.3 alone; HTTP/2 alone',
    elsewhere:
      'the tests of whole runs, which make the certificate that TLS needs; HTTP/2 alone ends as a target out of reach, since the examination speaks HTTP/1.1',
  },
  K55: { what: 'interim answers, 100 and 103, before the answer' },
  K56: { what: 'a long list that was there before' },
  K57: { what: 'a list in an order that changes' },
  K58: { what: 'other clients who create and remove meanwhile' },
  K59: { what: 'a list in pages' },
  K60: { what: 'a list that is consistent eventually' },
  K61: { what: 'names that must be unique' },
  K62: { what: 'names that are trimmed' },
  K63: { what: 'names and descriptions of bounded length' },
  K64: { what: 'empty names, refused or accepted' },
  K65: { what: 'malformed JSON and other media types, answered in many ways' },
  K66: { what: 'a 201 with Location' },
  K67: { what: '404 and 405 without rate-limit headers' },
  K68: { what: 'any body of a 429' },
  K69: { what: 'a 401 without WWW-Authenticate' },
  K70: { what: 'RateLimit headers besides' },
  K71: { what: 'the same header line twice' },
  K72: { what: 'two keys that are one caller' },
  K73: {
    what: 'a limit of one’s own by agreement',
    elsewhere: 'a plan file (`--plans`), since only the user knows what was agreed',
  },
  K74: { what: 'a server so slow that the limit is never reached' },
  K75: { what: 'Retry-After: 0 that is true on arrival' },
  K76: { what: 'characters that names and descriptions may hold' },
  K77: { what: 'fields that NewCategory does not have, rejected' },
  K78: { what: 'a bound on the number of categories' },
  K79: { what: 'white space before the JSON of a body' },
} as const satisfies Readonly<Record<string, Row>>;

/** The number of a row. */
export type RowId = keyof typeof rows;
