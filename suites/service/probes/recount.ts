import { isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { categoryNamer } from './category-names.ts';
import { createRequest, listRequest, unauthenticatedList } from './category-requests.ts';
import { isBaselineAfterIdle, preflight, sendBaselineAfterIdle } from './preflight.ts';
import type { Probe } from './probe.ts';
import { NAMED_OPERATIONS } from './unauthenticated.ts';
import { discrepancies } from './uses.ts';

/**
 * The order of lists (L), creations (C), invalid creations (I) and the two named
 * operations (O, P). It has no period, so that requests of another client hit
 * no single kind by chance. A dot is a request without a key, which a limiter
 * may count against the last key that it saw.
 */
const ORDER = 'LIOL.CPLILCOPCLLOIPC.LPIOCLIPLOCIL.PCOLLIPCLOPICLOIPL';

/** A pause after every fourth request, of so many units in turn: equal distances in the count are unequal ones in time. */
const PAUSES = { every: 4, units: [0, 6, 1, 9, 2] } as const;

/** The unit of a pause, as parts of a window: the duration of a request, within these bounds. */
const PAUSE_UNIT = { least: 1 / 1000, most: 1 / 150 } as const;

/** Requests of the quota that stay unused, so that nothing is rate-limited. */
const RESERVE = 3;

/** The most requests with the key that a recount sends. */
export const RECOUNT_REQUESTS = [...ORDER].filter((kind) => kind !== '.').length + 1;

const steps = {
  baselineAfterIdle: preflight.steps.baselineAfterIdle,
  anotherOrder: 'count repeated in another order',
} as const;

/**
 * Sent only where Remaining fell by more than the run sent: another client of
 * the key could cause that. A fault of the target follows our operations and
 * statuses in every order. Another client does not.
 */
export const recount: Probe<typeof steps> = {
  id: 'recount',
  description: 'the count again, in another order, where Remaining fell by more than the run sent',
  steps,
  cost: () => ({}),
  async run(pacer, inputs) {
    if (inputs.exclusiveKey) return;
    const found = discrepancies(pacer.session.exchanges, pacer.limits, false);
    const isDoubtful = found.every(({ explanation }) => explanation.kind === 'fell beyond use');
    if (found.length === 0 || !isDoubtful) return;
    pacer.resumeKey();
    await sendBaselineAfterIdle(
      pacer,
      'Remaining fell by more than the run sent; a fault shows again in a second count',
    );
    const baseline = pacer.session.exchanges.at(-1);
    if (pacer.isKeyStopped || baseline === undefined) return;
    if (!isBaselineAfterIdle(baseline) || isRateLimited(baseline)) return;
    await sendInAnotherOrder(pacer, categoryNamer(pacer, inputs));
  },
};

async function sendInAnotherOrder(pacer: Pacer, name: (what: string) => string): Promise<void> {
  const order = ORDER.slice(0, Math.max(0, pacer.limits.perMinute - RESERVE));
  for (const [at, kind] of [...order].entries()) {
    if (kind === '.') {
      await pacer.sendOutsideQuota(steps.anotherOrder, unauthenticatedList());
    } else {
      const request = requestOf(kind, name(`again-${at}`));
      if (isRateLimited(await pacer.sendWithKeyNow(steps.anotherOrder, request))) return;
    }
    const units = PAUSES.units[(at / PAUSES.every) % PAUSES.units.length] ?? 0;
    if (units > 0) await pacer.session.wait(units * pauseUnit(pacer), 'requests come at irregular intervals');
  }
}

/** The unit of a pause, in seconds: a short one would not show over a slow link. */
function pauseUnit({ session, limits: { minuteSeconds } }: Pacer): number {
  const last = session.exchanges.at(-1);
  const took = last === undefined ? 0 : (last.received.mono - last.sent.mono) / 1000;
  return Math.max(PAUSE_UNIT.least * minuteSeconds, Math.min(took, PAUSE_UNIT.most * minuteSeconds));
}

function requestOf(kind: string, name: string): ProbeRequest {
  const [orders, pet] = NAMED_OPERATIONS;
  switch (kind) {
    case 'C':
      return createRequest({ name });
    case 'I':
      return createRequest({ description: 'no name' });
    case 'O':
      return listRequest({ path: orders });
    case 'P':
      return listRequest({ path: pet });
    default:
      return listRequest();
  }
}
