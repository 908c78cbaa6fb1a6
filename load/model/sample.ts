import type { KeyAlias, Operation, Step } from './profile.ts';

/** What came back. Header values are the target's own text, bounded in length, undefined where absent. */
export type SampleOutcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly limit?: string;
      readonly remaining?: string;
      readonly reset?: string;
      readonly retryAfter?: string;
      readonly date?: string;
    }
  /** No answer; what k6 said of it. */
  | { readonly kind: 'no-response'; readonly error: string };

/** One request of a load run as the script saw it. All times are milliseconds since the Unix epoch on the machine of k6. */
export interface Sample {
  readonly key: KeyAlias;
  /** Position among the requests of the key, from 1. */
  readonly n: number;
  /** The step that sent it: its position in the lane, from 0, and its kind. */
  readonly step: number;
  readonly kind: Step['kind'];
  readonly operation: Operation;
  /** When it should have been sent; null where the answers before it decide that. */
  readonly planned: number | null;
  /** Not after the first byte left. */
  readonly sent: number;
  /** Not before the last byte came. */
  readonly received: number;
  readonly outcome: SampleOutcome;
}

/** Something a lane did other than sending, or why it stopped. */
export type ScenarioEvent =
  | {
      readonly kind: 'waits';
      readonly key: KeyAlias;
      readonly at: number;
      readonly untilMs: number;
      readonly because: string;
    }
  | {
      readonly kind: 'stopped';
      readonly key: KeyAlias;
      readonly at: number;
      readonly because: StopReason;
      readonly detail: string;
    }
  | { readonly kind: 'finished'; readonly key: KeyAlias; readonly at: number; readonly requests: number };

/** Why a lane stops before its end. */
export type StopReason =
  /** 401 or 403 for a key that was accepted before. */
  | 'banned'
  /** Several 5xx in a row. */
  | 'server errors'
  /** Several requests in a row without any answer. */
  | 'vanished'
  /** The Limit header states neither number of the plan. */
  | 'another plan'
  /** The first answer is not the service's. */
  | 'not the service'
  /** Waiting as the target asks would take longer than any lawful limiter of the plan makes anybody wait. */
  | 'waits too long'
  /** The script itself failed. */
  | 'script';

const STOPS: Readonly<Record<StopReason, string>> = {
  banned: 'the key was banned',
  'server errors': 'the target fails',
  vanished: 'the target vanished',
  'another plan': 'the key is of another plan',
  'not the service': 'this is not the service',
  'waits too long': 'the wait is too long',
  script: 'the script failed',
};

/** Why a lane stopped, in a clause for a person. */
export const stopText = ({
  because,
  detail,
}: {
  readonly because: StopReason;
  readonly detail: string;
}): string => `${STOPS[because]} (${detail})`;

/** All that a run of k6 told, in the order in which it was written. */
export interface Trace {
  readonly samples: readonly Sample[];
  readonly events: readonly ScenarioEvent[];
}
