import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../../../kernel/findings/record.ts';
import { overHttp, plansOf } from '../../over-http.ts';
import { inParallel, print } from '../../study.ts';
import type { Found, ServiceBreak, Verdicts } from '../breaks/break.ts';
import { foundIn, verdictsOf } from '../breaks/break.ts';
import type { Program, ServiceSettings } from '../service.ts';
import { KEYS, startService } from '../service.ts';
import type { CertifiedService } from '../services.ts';

/** The verdicts of a certificate. */
interface Certificate extends Required<Verdicts> {
  readonly outcome: Outcome;
  /** Requests with the keys of all callers. */
  readonly keyed: number;
}

/** What was measured of one service. */
export interface ServiceResult {
  /** Length of the minute of the runs with a break, in seconds. */
  readonly minuteSeconds: number;
  /** The runs against the service as it conforms. */
  readonly conforming: readonly (Certificate & { readonly minuteSeconds: number })[];
  /** The certificate of each break, by its id. */
  readonly breaks: Readonly<Record<string, Certificate>>;
}

const MINUTE_SECONDS = 6;

/** Minutes of the runs against the service as it conforms, and how long after its start each begins, in seconds. */
const CONFORMING = [
  [MINUTE_SECONDS, 0],
  [MINUTE_SECONDS, 1.3],
  [MINUTE_SECONDS, 2.9],
  [MINUTE_SECONDS, 4.4],
  [MINUTE_SECONDS, 5.7],
  [20, 7],
] as const;

/** Certifies a service that was built in this folder, so many runs at a time: with these breaks, or, without any, as it conforms and with each. */
export async function measure(
  service: CertifiedService,
  folder: string,
  parallel: number,
  ids?: readonly string[],
): Promise<ServiceResult> {
  const program = { ...service, folder };
  const conforming = await inParallel(ids === undefined ? CONFORMING : [], parallel, async (one) => {
    const [minuteSeconds, after] = one;
    const found = await certificates(program, { broken: '', minuteSeconds }, after);
    return found.map((certificate) => ({ minuteSeconds, ...certificate }));
  });
  const chosen = service.breaks.filter(({ id }) => ids?.includes(id) ?? true);
  const broken = await inParallel(chosen, parallel, async ({ id }) => {
    const found = await certificates(program, { broken: id, minuteSeconds: MINUTE_SECONDS });
    return found.map((certificate) => [id, certificate] as const);
  });
  return {
    minuteSeconds: MINUTE_SECONDS,
    conforming: conforming.flat(),
    breaks: Object.fromEntries(broken.flat()),
  };
}

/** Runs against a service as `certify` does, with a plan file, the key of another caller and one of an exhausted day, and prints what came out. A run that is not possible leaves no certificate. @param after how many seconds after its start the run begins. */
async function certificates(
  program: Program & CertifiedService,
  settings: ServiceSettings,
  after = 0,
): Promise<readonly Certificate[]> {
  const what = `${program.name} ${settings.broken || 'as it conforms'}, ${settings.minuteSeconds} s`;
  try {
    const running = await startService(program, settings);
    try {
      await sleep(after * 1000);
      const plans = plansOf(settings.minuteSeconds);
      const { record } = await overHttp({ baseUrl: running.baseUrl, plans, keys: KEYS });
      const one = { outcome: record.outcome, ...verdictsOf(record), keyed: record.requests.keyed };
      print(`${what}: ${JSON.stringify(one)}`);
      return [one];
    } finally {
      await running.stop();
    }
  } catch (error) {
    print(`${what}: ${String(error)}`);
    return [];
  }
}

/** A break, its certificate, and what became of it. */
export interface Measured {
  readonly one: ServiceBreak;
  readonly certificate: Certificate;
  readonly found: Found;
}

/** Every break of a service that has a result, in the order of its table. */
export function measuredBreaks(
  { breaks }: CertifiedService,
  result: ServiceResult | undefined,
): readonly Measured[] {
  return breaks.flatMap((one) => {
    const certificate = result?.breaks[one.id];
    return certificate === undefined ? [] : [{ one, certificate, found: foundIn(one.deserved, certificate) }];
  });
}

/** Where something failed that conforms: the service without a break, and what the specification leaves open. */
export function falseFails(service: CertifiedService, result: ServiceResult): readonly string[] {
  const conforming = result.conforming.filter(({ fails }) => fails.length > 0);
  const open = measuredBreaks(service, result).filter(({ found }) => found === 'false fail');
  return [
    ...conforming.map(({ fails }) => `${service.name} as it conforms: ${fails.join(' ')}`),
    ...open.map(({ one, certificate }) => `${service.name} ${one.id}: ${certificate.fails.join(' ')}`),
  ];
}
