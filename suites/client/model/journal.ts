import type { Static, StaticFields } from '../../../kernel/basics/shape.ts';
import { exactly, listOf, maybe, number, object, orNull, text, union } from '../../../kernel/basics/shape.ts';
import {
  bodyShape,
  connectionShape,
  headersShape,
  instantShape,
} from '../../../kernel/exchanges/exchange.ts';
import { clientDescription } from '../../../kernel/findings/client.ts';
import type { JournalOf } from '../../../kernel/findings/tested.ts';
import { endLine, origin } from '../../../kernel/findings/tested.ts';

export type { ClientDescription, ClientHost } from '../../../kernel/findings/client.ts';
export type { EndLine } from '../../../kernel/findings/tested.ts';

const planned = {
  /** Numbered from 1 over the run. */
  start: number,
  scenario: text,
  /** Numbered from 1 within the scenario. */
  repetition: number,
};
/** One start of the client: a scenario, and which of its repetitions. */
export type PlannedStart = StaticFields<typeof planned>;

/** The first line: which client was tested, by which program, against which specification. */
const run = object({
  kind: exactly('client-run'),
  journalVersion: exactly(1),
  ...origin,
  client: clientDescription,
  starts: listOf(object(planned)),
});
export type ClientRunLine = Static<typeof run>;

/** The client was started for a scenario, with a service of its own. */
const start = object({
  kind: exactly('start'),
  ...planned,
  /**
   * What the path of the base address begins with that the client was given, such as `/s-0123456789abcdef`: no other
   * program knows it. Absent where the address was not made for one start.
   */
  prefix: maybe(text),
  at: instantShape,
});
export type StartLine = Static<typeof start>;

/** A request has arrived: its header has been read. Its body follows with the response line. */
const arrival = object({
  kind: exactly('arrival'),
  /** Position among the requests of the whole run, from 1. */
  n: number,
  start: number,
  /** Stamped when the header had been read: the client sent it no later. */
  at: instantShape,
  connection: connectionShape,
  /**
   * Requests of the same start that were without a response at this moment, this one included; without those that may be
   * of another program (`sender.ts`).
   */
  inFlight: number,
  method: text,
  /** Path and query; the key replaced by its name. */
  target: text,
  /** The key replaced by its name wherever it stands. */
  headers: headersShape,
});
export type ArrivalLine = Static<typeof arrival>;

/** A response is about to be written: stamped, and this line written, before its first byte. */
const response = object({
  kind: exactly('response'),
  n: number,
  /** The client cannot have known of the response before this moment. */
  at: instantShape,
  /** The body of the request; null where it had none. */
  requestBody: orNull(bodyShape),
  status: number,
  headers: headersShape,
  body: bodyShape,
});
export type ResponseLine = Static<typeof response>;

/**
 * The client reset the connection of a response that had been written, so it may not have read it: a host that closes a
 * connection with data that was not read "SHOULD send a RST to show that data was lost" (RFC 9293 §3.6.1), and FIN otherwise.
 */
const reset = object({
  kind: exactly('reset'),
  /** The number of the arrival that the response belongs to. */
  n: number,
  at: instantShape,
});
export type ResetLine = Static<typeof reset>;

/** This program itself did not run for a while: what is stamped at the end of it may have happened at any time before. */
const stall = object({
  kind: exactly('stall'),
  at: instantShape,
  milliseconds: number,
});
export type StallLine = Static<typeof stall>;

/**
 * Why a client was stopped. `watched`: its scenario has shown what it can. `no-request`: it sent nothing for so long that
 * it hardly will. `interrupted`: by the user, or by a bound on the time of the whole run.
 */
const stopReason = exactly('watched', 'no-request', 'too-many-requests', 'too-much-output', 'interrupted');
export type StopReason = Static<typeof stopReason>;

/** How the process of a client ended. `stopped`: by this program; `because` is the end of a sentence. */
const how = union(
  'kind',
  object({ kind: exactly('exited'), code: number }),
  object({ kind: exactly('signalled'), signal: text }),
  object({ kind: exactly('stopped'), because: stopReason }),
  object({ kind: exactly('not-started'), because: text }),
);
export type ClientExit = Static<typeof how>;

/** The client of a start has ended, or was ended. */
const exit = object({
  kind: exactly('exit'),
  start: number,
  at: instantShape,
  how,
  /** The last of what it printed, bounded, the key replaced by its name. */
  output: text,
  /** The names of processes that the client had started and that lived on when it had ended; they were ended, too. */
  leftBehind: maybe(listOf(text)),
});
export type ExitLine = Static<typeof exit>;

export const clientJournalLine = union('kind', run, start, arrival, response, reset, stall, exit, endLine);
export type ClientJournalLine = Static<typeof clientJournalLine>;

export type ClientJournalContents = JournalOf<ClientJournalLine>;
