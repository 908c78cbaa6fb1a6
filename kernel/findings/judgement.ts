import { capitalized, countOf } from '../basics/text.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import type { Checked, Fact, Undecided } from './finding-text.ts';
import { factText } from './finding-text.ts';

/** What a judge finds: a verdict with what it rests on, and the exchanges that show it. */
export type Judgement = (Checked | AdverseJudgement | Undecided) & Shown;

/** A judgement against the target: what was expected, and what was received. */
export interface AdverseJudgement extends Fact {
  readonly verdict: 'fail' | 'warn';
}

/** The exchanges that show a judgement. */
export interface Shown {
  readonly exchanges: readonly Exchange[];
  /** The exchanges that a person should repeat to see it, in their order; the last of `exchanges` where absent. */
  readonly shows?: readonly Exchange[];
}

/** The evidence agrees with the requirement. `checked`: whole sentences that say exactly what was checked; the first letter becomes a capital. */
export const pass = (
  checked: string,
  exchanges: readonly Exchange[] = [],
  untested?: string,
): Extract<Judgement, Checked> => ({
  verdict: 'pass',
  checked: capitalized(checked),
  ...(untested === undefined ? {} : { untested }),
  exchanges,
});

const adverse =
  (verdict: AdverseJudgement['verdict']) =>
  (fact: Fact, exchanges: readonly Exchange[] = []): AdverseJudgement & Shown => ({
    ...fact,
    verdict,
    exchanges,
  });

/** The evidence contradicts the requirement. */
export const fail = adverse('fail');

/** The evidence contradicts one plausible reading of the requirement. */
export const warn = adverse('warn');

/** Tested, but the evidence proves nothing. `reason`: whole sentences; the first letter becomes a capital. */
export const inconclusive = (reason: string, exchanges: readonly Exchange[] = []): Judgement => ({
  verdict: 'inconclusive',
  reason: capitalized(reason),
  exchanges,
});

/** Not tested. `reason` says what is needed to test it. */
export const notTested = (reason: string, exchanges: readonly Exchange[] = []): Judgement => ({
  verdict: 'not-tested',
  reason,
  exchanges,
});

/** A fact that proves nothing, for this reason. */
export const unproven = (fact: Fact, reason: string, exchanges: readonly Exchange[] = []): Judgement =>
  inconclusive(`${factText(fact)} ${reason}`, exchanges);

/** Whether a judgement counts against the target. */
export const isAdverse = (found: Judgement): found is AdverseJudgement & Shown =>
  found.verdict === 'fail' || found.verdict === 'warn';

/** What one exchange shows against a requirement. Nothing at all means that it speaks for it. */
export type Problem =
  | ({ readonly kind: 'violation' | 'doubt' } & Fact)
  | { readonly kind: 'unclear'; readonly reason: string };

/** It breaks the requirement. */
export const violation = (fact: Fact): Problem => ({ ...fact, kind: 'violation' });
/** It breaks one plausible reading of it. */
export const doubt = (fact: Fact): Problem => ({ ...fact, kind: 'doubt' });
/** It proves nothing either way. `reason`: whole sentences; the first letter becomes a capital. */
export const unclear = (reason: string): Problem => ({ kind: 'unclear', reason });

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

/** The most exchanges that a judgement of many cites. */
export const MOST_CITED = 5;

interface Found<P extends Problem> {
  readonly exchange: Exchange;
  readonly problem: P;
}

type Contradiction = Extract<Problem, Fact>;
type Unclear = Exclude<Problem, Fact>;

/**
 * Judges a set of exchanges one by one: the first violation decides, then the first doubt; exchanges that prove nothing
 * make the whole inconclusive only if no exchange proves anything, or if `every` says that each one matters.
 */
export function judgeEach(
  exchanges: readonly Exchange[],
  check: (exchange: Exchange) => Problem | undefined,
  options: { readonly good: string; readonly none: string; readonly every?: boolean },
): Judgement {
  const contradictions: Found<Contradiction>[] = [];
  const unclears: Found<Unclear>[] = [];
  for (const exchange of exchanges) {
    const problem = check(exchange);
    if (problem === undefined) continue;
    if (problem.kind === 'unclear') unclears.push({ exchange, problem });
    else contradictions.push({ exchange, problem });
  }
  for (const kind of ['violation', 'doubt'] as const) {
    const [first, ...others] = contradictions.filter(({ problem }) => problem.kind === kind);
    if (first !== undefined) return adverseJudgement(first, others);
  }
  const [first, ...others] = unclears;
  const unproven = new Set(unclears.map(({ exchange }) => exchange));
  const proven = first === undefined ? exchanges : exchanges.filter((exchange) => !unproven.has(exchange));
  if (first !== undefined && (proven.length === 0 || options.every === true)) return undecided(first, others);
  if (proven.length === 0) return inconclusive(options.none);
  const rest = first === undefined ? '' : `; ${countOf(unproven.size, 'other')} proved nothing`;
  return pass(`${options.good} (${countOf(proven.length, 'exchange')}${rest}).`, proven.slice(0, MOST_CITED));
}

function adverseJudgement(first: Found<Contradiction>, others: readonly Found<Contradiction>[]): Judgement {
  const { kind, ...fact } = first.problem;
  const more =
    others.length === 0 ? '' : `; the same problem is in ${countOf(others.length, 'other response')}`;
  const found = (kind === 'violation' ? fail : warn)(
    { ...fact, received: `${fact.received}${more}` },
    citedOf([first, ...others]),
  );
  return { ...found, shows: [first.exchange] };
}

function undecided(first: Found<Unclear>, others: readonly Found<Unclear>[]): Judgement {
  const more = others.length === 0 ? '' : ` The same applies to ${countOf(others.length, 'other exchange')}.`;
  const found = inconclusive(`${first.problem.reason}${more}`, citedOf([first, ...others]));
  return { ...found, shows: [first.exchange] };
}

const citedOf = (found: readonly Found<Problem>[]): readonly Exchange[] =>
  found.slice(0, MOST_CITED).map(({ exchange }) => exchange);
