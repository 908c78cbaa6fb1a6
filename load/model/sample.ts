import type { Static } from '../../kernel/basics/shape.ts';
import type { KeyAlias } from './profile.ts';
import type { bodyReading, sampleOutcome, sampleShape, scenarioEvent, stopReason } from './sample-shape.ts';

/** One request of a load run as the script recorded it. */
export type Sample = Static<typeof sampleShape>;
export type SampleOutcome = Static<typeof sampleOutcome>;
export type BodyReading = Static<typeof bodyReading>;

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
export type ScenarioEvent = Static<typeof scenarioEvent>;
/** Why a scenario stops before its end. */
export type StopReason = Static<typeof stopReason>;

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
