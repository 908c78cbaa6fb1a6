import type { Exchange } from '../../exchanges/exchange.ts';
import { exchangeName, outcomeText } from '../../exchanges/exchange-text.ts';
import { statusOf } from '../../exchanges/headers.ts';
import { unavailable } from '../../exchanges/outcome-kinds.ts';
import { countOf, quoted } from '../../words/text.ts';
import { creations, firstCreation } from '../probes/creations.ts';
import type { StepOf } from '../probes/probe.ts';
import { isPlainest, isRejected, stepsOfCreation } from '../probes/valid-creation.ts';
import { expectStatus } from './answers.ts';
import { sentCategory } from './categories.ts';
import type { Evidence } from './evidence.ts';
import type { Judgement, Problem } from './judgement.ts';
import { judgeEach, pass, unclear, violation } from './judgement.ts';

/** The steps that send creations that the specification allows. */
export type ValidCreationStep = StepOf<typeof firstCreation> | StepOf<typeof creations>;

/** A creation that the specification allows, whatever form its name took. */
export interface Wanted {
  readonly step: ValidCreationStep;
  /** What was asked for, such as `a creation with a name alone`. */
  readonly what: string;
}

/** What was asked for one creation: the one that was accepted, if any, and those that were rejected before it. */
export interface Attempts {
  readonly all: readonly Exchange[];
  readonly made: Exchange | undefined;
  readonly rejected: readonly Exchange[];
}

/** Every attempt at this creation, in the order of asking. */
export function attemptsAt(evidence: Evidence, step: ValidCreationStep): Attempts {
  const steps = new Set(stepsOfCreation(step));
  const all = evidence.of(firstCreation, creations).filter((exchange) => steps.has(exchange.step));
  const made = all.find((exchange) => statusOf(exchange) === 201);
  return { all, made, rejected: all.filter(isRejected) };
}

/**
 * Judges that a valid creation is answered 201. "Length bounds … not shown": a
 * body that is rejected while a plainer one is accepted is no violation. It is
 * one where the plainest is rejected, too, and neither a lost answer nor a
 * bound on the number of categories explains it.
 */
export function judgeCreation(evidence: Evidence, wanted: Wanted): Judgement {
  const attempts = attemptsAt(evidence, wanted.step);
  const { all, made } = attempts;
  if (made === undefined) {
    return judgeEach(all.slice(-1), (last) => problemOf(evidence, attempts, last, wanted), {
      good: '',
      none: evidence.whyNothing(firstCreation, creations),
    });
  }
  const answered = `${exchangeName(made)} answered 201 to ${wanted.what}`;
  if (attempts.rejected.length === 0) return pass(`${answered}.`, [made]);
  return pass(`${answered} (${sent(made)}). ${boundText(attempts.rejected)}`, [...attempts.rejected, made]);
}

/** What was rejected before an attempt was accepted, as a sentence. */
const boundText = (turned: readonly Exchange[]): string =>
  `Before that ${listing(turned)}: the specification does not show what bounds a name and a description have (CREATE-13).`;

const listing = (exchanges: readonly Exchange[]): string =>
  exchanges.map((one) => `${exchangeName(one)} ${outcomeText(one)} to ${sent(one)}`).join(', and ');

/** The name and description of a creation as a sentence shows them, with their lengths. */
export function sent(exchange: Exchange): string {
  const category = sentCategory(exchange);
  if (category === undefined) return 'a body without a name';
  const text = (what: string, value: string): string =>
    `${what} ${quoted(value)} of ${countOf([...value].length, 'character')}`;
  const described =
    category.description === undefined ? '' : `, ${text('description', category.description)}`;
  return `${text('name', category.name)}${described}`;
}

/** What to do where no name that the run thinks of is accepted. */
const OWN_RULES =
  'If the service has rules of its own for names, run again with --name-pattern (PETSTORE_NAME_PATTERN in Playwright).';

function problemOf(
  evidence: Evidence,
  { all, rejected: turned }: Attempts,
  last: Exchange,
  { what }: Wanted,
): Problem | undefined {
  const found = expectStatus(last, 201, what);
  if (found?.kind !== 'violation') return found;
  if (sentBefore(evidence, last))
    return unclear(
      `${found.text} The same was sent before and its answer was lost, so it may stand there already.`,
    );
  const first = all[0] ?? last;
  if (isFull(evidence, first, last))
    return unclear(
      `${found.text} Creations before it were answered 201 and none after it: the target may bound how many categories it keeps, which the specification leaves open.`,
    );
  if (!isRejected(last)) return found;
  const category = sentCategory(last);
  if (category === undefined || !isPlainest(category))
    return unclear(`${found.text} No plainer name was asked for, and bounds of names are not shown.`);
  if (turned.length < 2) return found;
  return violation(
    `${found.text} It sent the ${sent(last)}, after ${countOf(turned.length - 1, 'other name or description', 'other names or descriptions')} had been rejected. ${OWN_RULES}`,
  );
}

/** Whether the same body was sent before and no answer came: a service may reject a second category of that name. */
const sentBefore = (evidence: Evidence, { n, request }: Exchange): boolean =>
  evidence.fact(lostCreations).some((one) => one.n < n && one.request.body?.text === request.body?.text);

/** What was sent with the key, and may have been done although nobody said so. */
const lostCreations = (evidence: Evidence): readonly Exchange[] =>
  evidence
    .by('key')
    .filter((one) => one.request.method === 'POST' && (statusOf(one) === undefined || unavailable(one)));

/** Statuses by which a service may say that it keeps no further category. */
const NO_MORE: ReadonlySet<number | undefined> = new Set([400, 402, 403, 409, 422, 507]);

/** Whether creations were answered 201 before the first attempt and none was after the last one. */
function isFull(evidence: Evidence, first: Exchange, last: Exchange): boolean {
  if (!NO_MORE.has(statusOf(last))) return false;
  const made = evidence.answered(201).filter(({ request }) => request.method === 'POST');
  return made.some(({ n }) => n < first.n) && !made.some(({ n }) => n > last.n);
}
