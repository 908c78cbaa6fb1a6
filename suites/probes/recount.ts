import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { create, list } from './bodies.ts';
import { namer } from './names.ts';
import { BASELINE_AFTER_IDLE, sendBaselineAfterIdle } from './preflight.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';
import { NAMED_OPERATIONS } from './unauthenticated.ts';
import { discrepancies } from './uses.ts';

/** The probe's one step. */
export const RECOUNT_STEP = 'in an order of its own';

/**
 * Which kind of request comes when: lists, creations, rejected creations and
 * the two named operations, in an order without a period, so that nobody whose
 * requests come at times of their own hits one kind by chance. A dot is a
 * request without a key, which a limiter may charge to whoever was last.
 */
const ORDER = 'LIOL.CPLILCOPCLLOIPC.LPIOCLIPLOCIL.PCOLLIPCLOPICLOIPL';

/** A pause after every so many requests, of so many units in turn: requests at even distances in the count come at uneven ones in time. */
const PAUSES = { every: 4, units: [0, 6, 1, 9, 2] } as const;

/** The unit of a pause, as parts of a window: at least so much, and as long as a request takes up to so much. */
const UNIT = { least: 1 / 1000, most: 1 / 150 } as const;

/** Requests of the limit that are left alone, so that nothing is rate-limited. */
const SPARE = 3;

/**
 * Only where Remaining fell by more than was sent: another client of the key
 * could cause that. What the target does by itself follows our operations and
 * statuses in every order; what another client does follows nothing of ours.
 */
export const recount: Probe = {
  id: 'recount',
  asks: 'the count again, in another order, where Remaining fell by more than was used',
  cost: () => nothing,
  async run(pacer, inputs) {
    if (inputs.exclusiveKey) return;
    const found = discrepancies(pacer.session.exchanges, pacer.limits, false);
    const doubtful = found.every(({ explanation }) => explanation.kind === 'fell beyond use');
    if (found.length === 0 || !doubtful) return;
    pacer.forgive();
    await sendBaselineAfterIdle(
      pacer,
      'Remaining fell by more than was used; counted again, a fault repeats itself',
    );
    const armed = pacer.session.exchanges.at(-1);
    if (pacer.givenUp !== undefined || armed?.step !== BASELINE_AFTER_IDLE || isRateLimited(armed)) return;
    const name = namer(pacer, inputs);
    const order = ORDER.slice(0, Math.max(0, pacer.limits.perMinute - SPARE));
    for (const [at, kind] of [...order].entries()) {
      if (kind === '.') await pacer.aside(RECOUNT_STEP, list({ credential: { kind: 'none' } }));
      else if (isRateLimited(await pacer.urgent(RECOUNT_STEP, request(kind, name(`again-${at}`))))) return;
      const units = PAUSES.units[(at / PAUSES.every) % PAUSES.units.length] ?? 0;
      if (units > 0) await pacer.session.rest(units * unitSeconds(pacer), 'requests come at odd times');
    }
  },
};

/** The unit of a pause, in seconds: over a slow link a short one would not show. */
function unitSeconds({ session, limits: { minuteSeconds } }: Pacer): number {
  const last = session.exchanges.at(-1);
  const took = last === undefined ? 0 : (last.received.mono - last.sent.mono) / 1000;
  return Math.max(UNIT.least * minuteSeconds, Math.min(took, UNIT.most * minuteSeconds));
}

/** The most requests with the key that a recount sends. */
export const RECOUNTED = [...ORDER].filter((kind) => kind !== '.').length + 1;

function request(kind: string, name: string): ProbeRequest {
  const [orders, pet] = NAMED_OPERATIONS;
  switch (kind) {
    case 'C':
      return create({ name });
    case 'I':
      return create({ description: 'no name' });
    case 'O':
      return list({ path: orders });
    case 'P':
      return list({ path: pet });
    default:
      return list();
  }
}
