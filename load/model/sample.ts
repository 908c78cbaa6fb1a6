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
      readonly age?: string;
      readonly xCache?: string;
      /** Of a 200 or 201 whose body was read. */
      readonly body?: BodyReading;
    }
  /** No response; k6's error text. */
  | { readonly kind: 'no-response'; readonly error: string };

/** What the script saw in the body of a 200 or 201. Texts are the target's own, bounded in length. */
export type BodyReading =
  /** A JSON list in which every item has an id and a name. */
  | { readonly kind: 'list' }
  /** A category with an id and a name, which is not the name of another request of the run. `id` is absent where it cannot be kept exactly. */
  | { readonly kind: 'category'; readonly id?: string }
  | {
      readonly kind: 'wrong';
      readonly problem: 'not JSON' | 'no list of categories' | 'no category' | 'category of another request';
      /** The beginning of the body. */
      readonly excerpt: string;
    };

/** One request of a load run as the script recorded it. All times are milliseconds since the Unix epoch on the machine of k6. */
export interface Sample {
  readonly key: KeyAlias;
  /** Position among the requests of the key, from 1. */
  readonly n: number;
  /** The step that sent it: its position in the scenario, from 0, and its kind. */
  readonly step: number;
  readonly kind: Step['kind'];
  readonly operation: Operation;
  /** The intended send time; null where the responses before it decide when it is sent. */
  readonly planned: number | null;
  /** Not after the first byte left. */
  readonly sent: number;
  /** Not before the last byte arrived. */
  readonly received: number;
  /** A connection was opened for it. */
  readonly opened?: true;
  readonly outcome: SampleOutcome;
}

/** The status of the response; undefined where none came. */
export const statusOf = ({ outcome }: Sample): number | undefined =>
  outcome.kind === 'answer' ? outcome.status : undefined;

/** Whether the target accepted a request: 2xx. */
export function isAccepted(sample: Sample): boolean {
  const status = statusOf(sample) ?? 0;
  return status >= 200 && status < 300;
}

/** Whether a request was rate-limited: 429. */
export const isRateLimited = (sample: Sample): boolean => statusOf(sample) === 429;

/** Whether the target does not accept the key itself (401 or 403): it is unknown there, or banned. */
export const isKeyRejected = (sample: Sample): boolean =>
  statusOf(sample) === 401 || statusOf(sample) === 403;

/** Whether a request got a 5xx or no response. */
export const isError = (sample: Sample): boolean => (statusOf(sample) ?? 500) >= 500;

/** What a scenario did besides sending: it waits, it stopped early, or it finished. */
export type ScenarioEvent =
  | {
      readonly kind: 'waiting';
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

/** Why a scenario stops before its end. */
export type StopReason =
  /** 401 or 403 for a key that was accepted before. */
  | 'banned'
  /** Several 5xx in a row. */
  | 'server errors'
  /** Several requests in a row without a response. */
  | 'unreachable'
  /** Several responses in a row that k6 cannot read. */
  | 'malformed responses'
  /** The Limit header states neither number of the plan: the key has another plan, or the target is wrong. */
  | 'wrong plan'
  /** The first response is not one of the service. */
  | 'wrong target'
  /** The wait that the target asks for is longer than any conforming limiter of the plan requires. */
  | 'wait too long'
  /** The script itself failed. */
  | 'script error';

const STOP_TEXTS: Readonly<Record<StopReason, string>> = {
  banned: 'the key was banned',
  'server errors': 'the target returns server errors',
  unreachable: 'the target stopped responding',
  'malformed responses': 'k6 cannot read the responses of the target',
  'wrong plan': 'the Limit is not that of the plan',
  'wrong target': 'the target is not the service',
  'wait too long': 'the wait is too long',
  'script error': 'the script failed',
};

/** Why a scenario stopped, in a clause for a person. */
export const stopText = ({
  because,
  detail,
}: {
  readonly because: StopReason;
  readonly detail: string;
}): string => `${STOP_TEXTS[because]} (${detail})`;

/** What the scenarios of a run recorded, in the order in which k6 wrote it. */
export interface Trace {
  readonly samples: readonly Sample[];
  readonly events: readonly ScenarioEvent[];
  /** Each sample stands for so many requests of its key: of a long run only every n-th is kept. Absent where all are. */
  readonly oneOf?: number;
}

/** What the scenario of one key recorded. */
export interface KeyTrace extends Pick<Trace, 'samples' | 'events'> {
  readonly key: KeyAlias;
}
