/** Faults that show only in later windows or around the end of one, which the script does not reach; a run of three windows does. */
export const BEYOND_THE_SCRIPT: ReadonlySet<string> = new Set([
  'string-body-parsed-again',
  'connections-counted-apart-later',
  'new-connections-limited-by-a-page',
  'window-extended-by-each-request',
  'count-dropped-late-in-the-window',
]);

/** Faults that change every response. */
export const EVERY_RESPONSE: ReadonlySet<string> = new Set([
  'date-in-local-time',
  'bucket-of-five-loses-updates',
  'bucket-of-one-loses-updates',
  'no-date',
  'date-as-iso',
  'date-in-utc',
  'headers-absent',
  'counters-by-network-address-without-headers',
  'reset-as-http-date',
  'reset-a-window-too-far',
  'reset-with-decimals',
  'reset-always-now',
  'reset-ten-seconds-early',
  'reset-moves-with-every-request',
  'headers-under-near-names',
  'headers-under-other-names',
  'reset-in-seconds-left',
  'reset-in-milliseconds',
  'reset-as-text',
  'reset-hours-away',
  'one-too-many-undated',
  'reset-hours-away-undated',
  'reset-in-the-past',
  'updates-lost',
  'updates-lost-in-twenty-milliseconds',
  'updates-lost-in-fifty-milliseconds',
]);
