import { capitalized, countOf } from '../basics/text.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import type { Checked, Fact, Undecided } from './finding-text.ts';
import { factText } from './finding-text.ts';

/** What a judge finds: a verdict with what it rests on, and the exchanges that show it. */
export type Judgement = (Checked & Shown) | Problem;

/** What speaks against the target, or proves nothing. Of one exchange: nothing at all means that it speaks for the target. */
export type Problem = Adverse | (Undecided & Shown);

/** A judgement against the target: what was expected, and what was received. */
export interface Adverse extends Fact, Shown {
  readonly verdict: 'fail' | 'warn';
}

interface Shown {
  readonly exchanges: readonly Exchange[];
  /** The exchanges that a person should repeat to see it, in their order; the last of `exchanges` where absent. */
  readonly shows?: readonly Exchange[];
}

/** What was expected and received, and the exchanges that show it; of one exchange that is judged by itself, none. */
export type ShownFact = Fact & Partial<Shown>;

/** The evidence agrees with the requirement. `checked`: whole sentences that say exactly what was checked; the first letter becomes a capital. */
export const pass = (
  checked: string,
  exchanges: readonly Exchange[] = [],
  untested?: string,
): Checked & Shown => ({
  verdict: 'pass',
  checked: capitalized(checked),
  ...(untested === undefined ? {} : { untested }),
  exchanges,
});

const adverse =
  (verdict: Adverse['verdict']) =>
  (fact: ShownFact): Adverse => ({ ...fact, verdict, exchanges: fact.exchanges ?? [] });

export const fail = adverse('fail');

/** The evidence contradicts one plausible reading of the requirement. */
export const warn = adverse('warn');

/** Tested, but the evidence proves nothing. `reason`: whole sentences; the first letter becomes a capital. */
export const inconclusive = (reason: string, exchanges: readonly Exchange[] = []): Undecided & Shown => ({
  verdict: 'inconclusive',
  reason: capitalized(reason),
  exchanges,
});

export const notTested = (reason: string, exchanges: readonly Exchange[] = []): Judgement => ({
  verdict: 'not-tested',
  reason,
  exchanges,
});

export const unproven = (fact: ShownFact, reason: string): Undecided & Shown =>
  inconclusive(`${factText(fact)} ${reason}`, fact.exchanges);

export const isAdverse = (found: Judgement): found is Adverse =>
  found.verdict === 'fail' || found.verdict === 'warn';

/** A fact with further sentences of reasoning behind what it has; the fact itself where there are none. */
export const furtherReasoned = <F extends Fact>(
  fact: F,
  ...sentences: readonly (string | undefined)[]
): F => {
  const reasoning = [fact.reasoning, ...sentences].filter((one) => one !== undefined);
  return reasoning.length === 0 ? fact : { ...fact, reasoning: reasoning.join(' ') };
};

/** Why a date in UTC is no HTTP-date, although it names the same second. */
export const ENDS_WITH_GMT = 'An HTTP-date ends with GMT (RFC 9110 §5.6.7).';

export const MOST_CITED = 5;

interface Found {
  readonly exchange: Exchange;
  readonly problem: Problem;
}

/** The first violation decides, then the first doubt; then what proves nothing, if nothing else proves anything or `every` one matters. */
export function judgeEach(
  exchanges: readonly Exchange[],
  check: (exchange: Exchange) => Problem | undefined,
  options: { readonly good: string; readonly none: string; readonly every?: boolean },
): Judgement {
  const found: Found[] = [];
  for (const exchange of exchanges) {
    const problem = check(exchange);
    if (problem !== undefined) found.push({ exchange, problem });
  }
  const adverse = (['fail', 'warn'] as const).map((verdict) =>
    found.filter(({ problem }) => problem.verdict === verdict),
  );
  const worst = adverse.find((all) => all.length > 0);
  if (worst !== undefined) return asOne(worst);
  const unproven = new Set(found.map(({ exchange }) => exchange));
  const proven = found.length === 0 ? exchanges : exchanges.filter((exchange) => !unproven.has(exchange));
  if (found.length > 0 && (proven.length === 0 || options.every === true)) return asOne(found);
  if (proven.length === 0) return inconclusive(options.none);
  const rest = found.length === 0 ? '' : `; ${countOf(unproven.size, 'other')} proved nothing`;
  return pass(`${options.good} (${countOf(proven.length, 'exchange')}${rest}).`, proven.slice(0, MOST_CITED));
}

/** The first of problems with one verdict, which says how many there are, and the exchanges of all. */
function asOne(found: readonly Found[]): Judgement {
  const [first, ...others] = found as readonly [Found, ...Found[]];
  const { exchange, problem } = first;
  const exchanges = found.slice(0, MOST_CITED).map((one) => one.exchange);
  const shown = { exchanges, shows: [exchange] };
  if (!isAdverse(problem)) {
    const more =
      others.length === 0 ? '' : ` The same applies to ${countOf(others.length, 'other exchange')}.`;
    return { ...inconclusive(`${problem.reason}${more}`), ...shown };
  }
  const { verdict, ...fact } = problem;
  const more =
    others.length === 0 ? '' : `; the same problem is in ${countOf(others.length, 'other response')}`;
  return { ...fact, received: `${fact.received}${more}`, ...shown, verdict };
}
