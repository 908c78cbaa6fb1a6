import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { First429 } from '../../../kernel/rate-limits/attribution.ts';
import { first429Of } from '../../../kernel/rate-limits/attribution.ts';
import { showsUntouched } from '../../../kernel/rate-limits/bounds/windows.ts';
import type { Discrepancy } from '../../../kernel/rate-limits/explanation.ts';
import { explainDiscrepancy } from '../../../kernel/rate-limits/explanation.ts';
import type { Quota } from '../../../kernel/rate-limits/quota.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import type { Series } from '../../../kernel/rate-limits/series.ts';
import { mayCount, readingOf, seriesOf } from '../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { categoryNamer, createRequest, listRequest, unauthenticatedList } from './category-requests.ts';
import { durationOf } from './exhaust-quota.ts';
import { isBaselineAfterIdle, preflight, startAfterTwoWindows } from './preflight.ts';
import type { Probe } from './probe.ts';
import { spendsDay } from './spend-day.ts';
import { NAMED_OPERATIONS } from './unauthenticated.ts';

/** One stretch of use of the key under test, without an idle window in it. */
export interface Use {
  readonly series: Series;
  readonly first: Exchange;
  readonly untouched: boolean;
  readonly limited: First429 | undefined;
}

export function usesOf(exchanges: readonly Exchange[], limits: Limits): readonly Use[] {
  return seriesOf(mayCount(exchanges.filter((one) => !spendsDay(one))), limits).flatMap((series) => {
    const first = series[0]?.exchanges[0];
    return first === undefined
      ? []
      : [{ series, first, untouched: untouched(first, limits.perMinute), limited: first429Of(series) }];
  });
}

/** Whether its first response, or two idle windows before it, show an untouched quota. */
const untouched = (first: Exchange, perMinute: number): boolean =>
  isBaselineAfterIdle(first) || showsUntouched(readingOf(first), perMinute);

/** The share of the quota that is missing at the beginning of a stretch where a log may hold many requests of another client. */
const MUCH = 1 / 4;

/** The same Remaining at each beginning is the target's own, and so may a 0 be, which a target shows that never raises it again. */
function usedByAnother(uses: readonly Use[], { limit }: Quota): ReadonlySet<Use> {
  const begun = new Map(uses.map((use) => [use, readingOf(use.first)] as const));
  const values = new Set([...begun.values()].flatMap((reading) => reading?.remaining ?? []));
  const isMuch = (use: Use): boolean => {
    const reading = begun.get(use);
    if (reading?.limit !== limit) return false;
    return reading.remaining > 0 && reading.remaining < (1 - MUCH) * limit;
  };
  return new Set(values.size > 1 ? uses.filter(isMuch) : []);
}

/** Where Remaining does not follow the requests, for every stretch that shows it. */
export function discrepancies(
  uses: readonly Use[],
  exchanges: readonly Exchange[],
  limits: Limits,
  exclusive: boolean,
): readonly (Discrepancy & { readonly use: Use })[] {
  const quota = minuteQuota(limits);
  const used = usedByAnother(exclusive ? [] : uses, quota);
  const others = exchanges.filter(({ caller }) => caller !== 'key' && caller !== 'unspecified');
  const everywhere = uses.map(({ series }) => series);
  return uses.flatMap((use, index) => {
    // A sliding log that was in use before gives back many requests at once. Every later stretch follows a window that this run left idle.
    if ((index === 0 && !use.untouched) || used.has(use)) return [];
    const found = explainDiscrepancy(use.series, quota, { others, everywhere, exclusive });
    return found === undefined ? [] : [{ ...found, use }];
  });
}

/** L list, C creation, I invalid, O and P named, . without a key. No period, so that another client hits no kind by chance. */
const ORDER = 'LIOL.CPLILCOPCLLOIPC.LPIOCLIPLOCIL.PCOLLIPCLOPICLOIPL';

/** A pause after every fourth request, of so many units in turn: equal distances in the count are unequal ones in time. */
const PAUSES = { every: 4, units: [0, 6, 1, 9, 2] } as const;

/** The unit of a pause, as parts of a window: the duration of a request, within these bounds. */
const PAUSE_UNIT = { least: 1 / 1000, most: 1 / 150 } as const;

/** Requests of the quota that stay unused, so that nothing is rate-limited. */
const RESERVE = 3;

export const RECOUNT_REQUESTS = [...ORDER].filter((kind) => kind !== '.').length + 1;

/** A fault of the target follows our operations and statuses in every order; another client of the key does not. */
export const recount = {
  id: 'recount',
  description: 'the count again, in another order, where Remaining fell by more than the run sent',
  steps: {
    baselineAfterIdle: preflight.steps.baselineAfterIdle,
    anotherOrder: 'count repeated in another order',
  },
  async run(pacer, inputs) {
    if (inputs.exclusiveKey) return;
    const { exchanges } = pacer.session;
    const found = discrepancies(usesOf(exchanges, pacer.limits), exchanges, pacer.limits, false);
    const isDoubtful = found.every(({ explanation }) => explanation.kind === 'fell beyond use');
    if (found.length === 0 || !isDoubtful) return;
    pacer.resumeKey();
    const because = 'Remaining fell by more than the run sent; a fault shows again in a second count';
    if (await startAfterTwoWindows(pacer, because))
      await sendInAnotherOrder(pacer, categoryNamer(pacer, inputs));
  },
} as const satisfies Probe;

async function sendInAnotherOrder(pacer: Pacer, name: (what: string) => string): Promise<void> {
  const order = ORDER.slice(0, Math.max(0, pacer.limits.perMinute - RESERVE));
  for (const [at, kind] of [...order].entries()) {
    if (kind === '.') {
      await pacer.sendOutsideQuota(recount.steps.anotherOrder, unauthenticatedList());
    } else {
      const request = REQUESTS[kind]?.(name(`again-${at}`)) ?? listRequest();
      if (isRateLimited(await pacer.sendWithKeyNow(recount.steps.anotherOrder, request))) return;
    }
    const units = PAUSES.units[(at / PAUSES.every) % PAUSES.units.length] ?? 0;
    if (units > 0) await pacer.session.wait(units * pauseUnit(pacer), 'requests come at irregular intervals');
  }
}

/** The unit of a pause, in seconds: a short one would not show over a slow link. */
function pauseUnit({ session, limits: { minuteSeconds } }: Pacer): number {
  const took = durationOf(session.exchanges.slice(-1)) / 1000;
  return Math.max(PAUSE_UNIT.least * minuteSeconds, Math.min(took, PAUSE_UNIT.most * minuteSeconds));
}

const [ORDERS, PET] = NAMED_OPERATIONS;

const REQUESTS: Readonly<Record<string, (name: string) => ProbeRequest>> = {
  C: (name) => createRequest({ name }),
  I: () => createRequest({ description: 'no name' }),
  O: () => listRequest({ path: ORDERS }),
  P: () => listRequest({ path: PET }),
};
