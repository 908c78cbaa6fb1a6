import { countOf, quoted } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import {
  accepted,
  exchangeName,
  responseText,
  unavailable,
} from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement, Problem } from '../../../kernel/findings/judgement.ts';
import {
  furtherReasoned,
  inconclusive,
  judgeEach,
  pass,
  unproven,
} from '../../../kernel/findings/judgement.ts';
import { isHtml } from '../model/target-reading.ts';
import { isRejected } from '../probes/category-requests.ts';
import type { creations, firstCreation } from '../probes/creations.ts';
import type { StepOf } from '../probes/probe.ts';
import { PLAIN_DESCRIPTIONS, stepsOfCreation } from '../probes/valid-creation.ts';
import { expectStatus } from './answers.ts';
import { sentCategory } from './categories.ts';
import { rejectedInFront } from './circumstances.ts';
import type { Evidence } from './evidence.ts';

export type ValidCreationStep = StepOf<typeof firstCreation> | StepOf<typeof creations>;

type Attempts = ReturnType<typeof attemptsAt>;

/** Every attempt at this creation, in the order of sending: one may be accepted, and others rejected for what they hold. */
export function attemptsAt(evidence: Evidence, step: ValidCreationStep) {
  const steps = new Set(stepsOfCreation(step));
  const all = evidence.of('first-creation', 'creations').filter((exchange) => steps.has(exchange.step));
  const made = all.find((exchange) => statusOf(exchange) === 201);
  return { all, made, rejected: all.filter((one) => isRejected(one) && !sentBefore(evidence, one)) };
}

/**
 * "Length bounds … not shown": a rejection is a violation only where the plainest body is rejected, too, and nothing
 * else explains it. @param what the request as a noun phrase, such as `a creation with only a name`.
 */
export function judgeCreation(evidence: Evidence, step: ValidCreationStep, what: string): Judgement {
  const attempts = attemptsAt(evidence, step);
  const { all, made } = attempts;
  if (made === undefined) {
    return judgeEach(all.slice(-1), (last) => problemOf(evidence, attempts, last, what), {
      good: '',
      none: evidence.whyNothing('first-creation', 'creations'),
    });
  }
  const answered = `${exchangeName(made)}, ${what}, returned 201`;
  if (attempts.rejected.length === 0) return pass(`${answered}.`, [made]);
  return pass(`${answered} (${sentText(made)}). ${boundText(attempts.rejected)}`, [
    ...attempts.rejected,
    made,
  ]);
}

const boundText = (rejections: readonly Exchange[]): string =>
  `Before it, ${rejections.map((one) => `${exchangeName(one)} returned ${responseText(one)} (${sentText(one)})`).join(', and ')}: the specification shows no bounds for a name or a description (CREATE-13).`;

/** The name and description of a creation as a sentence shows them, with their lengths. */
export function sentText(exchange: Exchange): string {
  const category = sentCategory(exchange);
  if (category === undefined) return 'a body without a name';
  const text = (what: string, value: string): string =>
    `${what} ${quoted(value)} of ${countOf([...value].length, 'character')}`;
  const described =
    category.description === undefined ? '' : `, ${text('description', category.description)}`;
  return `${text('name', category.name)}${described}`;
}

/** What to do where every name that the run sends is rejected. */
const OWN_RULES =
  'If the service has rules of its own for names, run again with --name-pattern (PETSTORE_NAME_PATTERN in Playwright).';

/** The plainest name of a run. */
const PLAINEST = /^[A-Z][a-z]{7}$/;

function problemOf(
  evidence: Evidence,
  { all, rejected: rejections }: Attempts,
  last: Exchange,
  what: string,
): Problem | undefined {
  const found = expectStatus(last, 201, what);
  if (found?.verdict !== 'fail') return found;
  const readOnly = evidence.fact(mayOnlyRead);
  if (readOnly !== undefined && isForbidden(last)) return inconclusive(readOnly);
  if (!isPlainest(last) && rejectedInFront(evidence, last) && evidence.answered(201).length > 0)
    return unproven(found, 'A firewall in front of the service may have rejected this text.');
  if (sentBefore(evidence, last))
    return unproven(
      found,
      'The same name was sent before and its response was lost, so the category may already exist.',
    );
  const first = all[0] ?? last;
  if (isFull(evidence, first, last))
    return unproven(
      found,
      'Earlier creations returned 201, or their response was lost, and later ones were not answered 201: the service may limit how many categories it stores, which the specification leaves open.',
    );
  if (!isRejected(last)) return found;
  if (!isPlainest(last))
    return unproven(found, 'No plainer name was tried, and the specification shows no bounds for names.');
  if (rejections.length < 2) return found;
  return furtherReasoned(
    found,
    `The body had the ${sentText(last)}, and ${countOf(rejections.length - 1, 'other name or description', 'other names or descriptions')} had been rejected before. ${OWN_RULES}`,
  );
}

/** Whether neither a rule for names or descriptions nor a firewall has a reason to reject this text. */
function isPlainest(exchange: Exchange): boolean {
  const category = sentCategory(exchange);
  return (
    category !== undefined && PLAINEST.test(category.name) && PLAIN_DESCRIPTIONS.has(category.description)
  );
}

/** Whether the same name was sent before without a response: a service may reject a second category of that name. */
const sentBefore = (evidence: Evidence, exchange: Exchange): boolean =>
  evidence
    .fact(lostCreations)
    .some((one) => one.n < exchange.n && sentCategory(one)?.name === sentCategory(exchange)?.name);

/** Creations with the key that may have succeeded although no response shows it. */
const lostCreations = (evidence: Evidence): readonly Exchange[] =>
  evidence
    .by('key')
    .filter((one) => one.request.method === 'POST' && (statusOf(one) === undefined || unavailable(one)));

/** Statuses by which a service may say that it stores no further category. */
const NO_MORE: ReadonlySet<number | undefined> = new Set([400, 402, 403, 409, 422, 507]);

/** Whether creations succeeded, or may have, before the first attempt, and none after the last one. */
function isFull(evidence: Evidence, first: Exchange, last: Exchange): boolean {
  if (!NO_MORE.has(statusOf(last))) return false;
  const made = evidence.answered(201).filter(({ request }) => request.method === 'POST');
  const maybeMade = [...made, ...evidence.fact(lostCreations)];
  return maybeMade.some(({ n }) => n < first.n) && !made.some(({ n }) => n > last.n);
}

/** 402 is for a key whose plan has no creations (left), and 403 for one that may not create. */
export const isForbidden = (exchange: Exchange): boolean => [402, 403].includes(statusOf(exchange) ?? 0);

/**
 * Why nothing shows what the service does with creations; undefined where something does. The scopes of keys are not
 * shown, so a service may have keys that only read, and 403 is what HTTP has for them (RFC 9110 §15.5.4). A page of
 * HTML is no answer of the service, such as that of a protection against forged forms.
 */
export function mayOnlyRead(evidence: Evidence): string | undefined {
  const keyed = evidence.by('key').filter(isDocumentedOperation);
  const creations = keyed.filter(({ request }) => request.method === 'POST');
  const forbidden = creations.filter(isForbidden);
  const [first] = forbidden;
  if (first === undefined || forbidden.some(isHtml) || creations.some(accepted)) return undefined;
  if (!keyed.some((one) => accepted(one) && one.request.method === 'GET')) return undefined;
  return `Lists were accepted with the key, and ${countOf(forbidden.length, 'creation')} received ${statusOf(first)}, the first in ${exchangeName(first)}: the key may only be allowed to read, and the specification does not show the scopes of keys. Run again with a key that may create.`;
}
