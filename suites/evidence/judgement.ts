import type { Exchange } from '../../exchanges/exchange.ts';
import { countOf } from '../../words/text.ts';
import type { Verdict } from '../model/record.ts';

/** What a judge says: the verdict, why, and which exchanges show it. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly because: string;
  readonly exchanges: readonly Exchange[];
  /** The one that a person should repeat to see it; the last of `exchanges` unless said otherwise. */
  readonly shows?: Exchange;
}

type Maker = (because: string, exchanges?: readonly Exchange[]) => Judgement;

const maker =
  (verdict: Verdict): Maker =>
  (because, exchanges = []) => ({ verdict, because: because.replace(/^exchange\b/, 'Exchange'), exchanges });

export const pass = maker('pass');
export const fail = maker('fail');
export const warn = maker('warn');
/** Asked, but the answer proves nothing. */
export const inconclusive = maker('inconclusive');
/** Not asked; `because` says what is needed to ask. */
export const notTested = maker('not-tested');

/** What one exchange shows against a requirement. Nothing at all means that it speaks for it. */
export type Problem =
  | { readonly kind: 'violation'; readonly text: string }
  | { readonly kind: 'doubt'; readonly text: string }
  | { readonly kind: 'unclear'; readonly text: string };

/** It breaks the requirement. */
export const violation = (text: string): Problem => ({ kind: 'violation', text });
/** It breaks one honest reading of it. */
export const doubt = (text: string): Problem => ({ kind: 'doubt', text });
/** It proves nothing either way. */
export const unclear = (text: string): Problem => ({ kind: 'unclear', text });

/** The most exchanges that a passing verdict cites. */
const CITED = 5;

/**
 * Judges a set of exchanges one by one: the first violation decides, then the
 * first doubt; exchanges that prove nothing make the whole inconclusive only
 * if no exchange proves anything, or if `every` says that each one matters.
 */
export function judgeEach(
  exchanges: readonly Exchange[],
  check: (exchange: Exchange) => Problem | undefined,
  options: { readonly good: string; readonly none: string; readonly every?: boolean },
): Judgement {
  const problems: { readonly exchange: Exchange; readonly problem: Problem }[] = [];
  for (const exchange of exchanges) {
    const problem = check(exchange);
    if (problem !== undefined) problems.push({ exchange, problem });
  }
  const of = (kind: Problem['kind']) => problems.filter(({ problem }) => problem.kind === kind);
  const tell = (make: Maker, found: typeof problems): Judgement => {
    const more = found.length > 1 ? ` The same shows in ${countOf(found.length - 1, 'other exchange')}.` : '';
    const judgement = make(
      `${found[0]?.problem.text}${more}`,
      found.slice(0, CITED).map(({ exchange }) => exchange),
    );
    return found[0] === undefined ? judgement : { ...judgement, shows: found[0].exchange };
  };
  const [violations, doubts, unclears] = [of('violation'), of('doubt'), of('unclear')];
  if (violations.length > 0) return tell(fail, violations);
  if (doubts.length > 0) return tell(warn, doubts);
  const silent = new Set(unclears.map(({ exchange }) => exchange));
  const good = exchanges.filter((exchange) => !silent.has(exchange));
  if (silent.size > 0 && (good.length === 0 || options.every === true)) return tell(inconclusive, unclears);
  if (good.length === 0) return inconclusive(options.none);
  const rest = silent.size === 0 ? '' : `; ${countOf(silent.size, 'other')} proved nothing`;
  return pass(`${options.good} (${countOf(good.length, 'exchange')}${rest}).`, good.slice(0, CITED));
}
