import type { JudgedRecord } from '../../suites/model/record.ts';
import type { ClientDescription } from './journal.ts';

/** The record of a run that tested a client: everything a report needs, and exactly what `report.json` holds. */
export interface ClientRecord extends JudgedRecord {
  readonly subject: 'client';
  readonly client: ClientDescription;
  /** What happened in each start of the client, in the order of the plan. */
  readonly timelines: readonly ClientTimeline[];
}

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
