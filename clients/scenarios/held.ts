/**
 * For so long (seconds) a 429 is held where more than one call is waiting. What a client sends at the same time, although
 * it was given one task, has arrived before the 429 is stamped, or is seen to be in flight. And a wait that is counted
 * from the request ends too early. It is no time that timeouts are usually set to: a client that gives a request up while
 * its 429 is on the way has not read it.
 */
export const HELD_SECONDS = 0.37;

/** Long enough (seconds) for a circuit breaker that stays open for a minute, and for a program that looks for work once a minute. */
export const SILENT_SECONDS = 70;
