import type { RunRecord } from '../../kernel/findings/record.ts';
import { overHttp } from '../over-http.ts';
import type { RunningService } from './service.ts';
import { KEYS, PER_DAY, PER_MINUTE } from './service.ts';

/** The verdicts of a certificate. */
export interface Certificate {
  readonly outcome: string;
  readonly fails: readonly string[];
  readonly warns: readonly string[];
  readonly inconclusive: readonly string[];
  /** Requests with the keys of all callers. */
  readonly keyed: number;
}

/** A run against the service as it conforms. */
export interface ConformingRun extends Certificate {
  readonly minuteSeconds: number;
}

/** What was measured of one service. */
export interface OutsiderResult {
  /** Length of the minute of the runs with a break, in seconds. */
  readonly minuteSeconds: number;
  readonly conforming: readonly ConformingRun[];
  /** The certificate of each break, by its id. */
  readonly breaks: Readonly<Record<string, Certificate>>;
}

/** Runs against a service as `certify` does, with a plan file, the key of another caller and one of an exhausted day. */
export async function certifyService(
  { baseUrl }: RunningService,
  minuteSeconds: number,
): Promise<Certificate> {
  const plans = {
    minuteSeconds,
    daySeconds: 86_400,
    plans: { free: { perMinute: PER_MINUTE, perDay: PER_DAY } },
  };
  const { record } = await overHttp({ baseUrl, plans, keys: KEYS });
  return {
    outcome: record.outcome,
    fails: idsWith(record, 'fail'),
    warns: idsWith(record, 'warn'),
    inconclusive: idsWith(record, 'inconclusive'),
    keyed: record.requests.keyed,
  };
}

const idsWith = ({ requirements }: RunRecord, verdict: string): readonly string[] =>
  requirements.filter((one) => one.verdict === verdict).map(({ id }) => id);
