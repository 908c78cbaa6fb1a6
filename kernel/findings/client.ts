/** How the client came to its service. */
export type ClientDescription =
  /** A command, started once for each scenario and repetition; its words, for a person. */
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly where: ClientHost }
  /** A client that a person attached to the scripted service. */
  | { readonly kind: 'attached'; readonly where: ClientHost }
  /** A client that worked with a service of its own, through a proxy of this program; `target` is its base address. */
  | { readonly kind: 'watched'; readonly target: string; readonly where: ClientHost };

/** Whether the client reads the clock of this machine; it decides how an HTTP-date may be judged. */
export type ClientHost = 'this host' | 'another host';

/** One start of a client on a time axis: its requests, and the waits that were announced to it. */
export interface ClientTimeline {
  readonly start: number;
  readonly scenario: string;
  /** Numbered from 1 within the scenario. */
  readonly repetition: number;
  /** What happens in the scenario, in one sentence. */
  readonly description: string;
  /** The requests in the order of their arrival; a long start is cut. */
  readonly requests: readonly TimelineRequest[];
  /** How many further requests arrived. */
  readonly further: number;
  /** How the client ended, as the end of a sentence: `exited with status 0`. */
  readonly ending: string;
}

/** One request on the time axis of its start. Times are milliseconds since the first arrival of the start. */
export interface TimelineRequest {
  /** The number of the exchange. */
  readonly n: number;
  /** `GET /v1/categories`. */
  readonly operation: string;
  readonly arrivedAt: number;
  /** Absent where nothing was responded. */
  readonly response?: TimelineResponse;
  /** By how much the request came before the end of an announced wait (milliseconds); absent where it came before none. */
  readonly early?: number;
}

/** A response on the time axis. */
export interface TimelineResponse {
  readonly at: number;
  readonly status: number;
  /** When the wait that this 429 announced is over. */
  readonly waitUntil?: number;
}
