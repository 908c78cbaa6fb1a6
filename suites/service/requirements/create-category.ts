import { countOf } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import {
  accepted,
  exchangeName,
  isRateLimited,
  receivedText,
  responseText,
  unavailable,
} from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement, Problem } from '../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned, inconclusive, judgeEach, warn } from '../../../kernel/findings/judgement.ts';
import { expectStatus } from '../evidence/answers.ts';
import { createdBy, creationsSeen, lists, sentCategory } from '../evidence/categories.ts';
import { rejectedInFront } from '../evidence/circumstances.ts';
import type { Evidence, JudgedId, Observable, Requirement } from '../evidence/evidence.ts';
import { FEWEST_OFTEN, failOften } from '../evidence/evidence.ts';
import type { ValidCreationStep } from '../evidence/valid-creations.ts';
import {
  attemptsAt,
  isForbidden,
  judgeCreation,
  mayOnlyRead,
  sentText,
} from '../evidence/valid-creations.ts';
import { isRejected } from '../probes/category-requests.ts';
import { creations, firstBatch, firstCreation } from '../probes/creations.ts';
import type { ProbeId } from '../probes/index.ts';
import type { InvalidBody } from '../probes/valid-creation.ts';
import { invalidBodies } from '../probes/valid-creation.ts';
import { changedFields, echoesWhatWasSent } from './create-category/echo.ts';
import { distinctIds, nothingCreated, ownIdsIgnored, storedOnce } from './create-category/stored.ts';

/** The probes whose creations the specification allows: the first ones, and further ones. */
const FURTHER: ReadonlySet<string> = new Set<ProbeId>(['first-batch', 'second-batch', 'exhaust-quota']);
const CREATING: ReadonlySet<string> = new Set<string>(['first-creation', 'creations', ...FURTHER]);

/** Every valid one from some point on, or many between others. A service that stores no more has another status than 500 for it. */
function failsToCreate(evidence: Evidence): Judgement | undefined {
  const sent = evidence.by('key').filter((one) => CREATING.has(one.probe) && decides(one));
  const failed = sent.filter((one) => statusOf(one) === 500);
  const last = sent.findLastIndex((one) => statusOf(one) === 201);
  const after = sent.slice(last + 1);
  const none = after.length >= FEWEST_OFTEN && after.every((one) => failed.includes(one));
  const found = none ? after : failed;
  const [first] = found;
  if (first === undefined || (!none && !failOften(sent))) return undefined;
  return fail({
    expected: '201 for each valid creation',
    received: `${receivedText(first)}, and for ${countOf(found.length - 1, 'further creation')} after it`,
    reasoning: none
      ? 'Earlier creations returned 201, and none from this one on.'
      : `${countOf(sent.length - failed.length, 'other')} returned another status.`,
    exchanges: found.slice(0, FEWEST_OFTEN),
  });
}

/** Whether the service itself responded to this creation, and its rate-limiter did not. */
const decides = (exchange: Exchange): boolean =>
  exchange.request.method === 'POST' &&
  isDocumentedOperation(exchange) &&
  statusOf(exchange) !== undefined &&
  !isRateLimited(exchange) &&
  !unavailable(exchange);

/** The same body, sent alone, returned 201. A service may ask a client to repeat what collided, so it warns. */
function conflictBesideAnother(evidence: Evidence): Judgement | undefined {
  const { steps } = firstBatch;
  for (const probe of ['first-batch', 'second-batch'] as const) {
    const [alone] = evidence.step(probe, steps.alone);
    const before = evidence.step(probe, steps.parallel).find((one) => isConflictOf(one, alone));
    if (alone === undefined || before === undefined || statusOf(alone) !== 201) continue;
    return warn({
      expected: '201 for a valid creation, whatever is created at the same time',
      received: `409 in ${exchangeName(before)} beside another creation, and 201 for the same body alone in ${exchangeName(alone)}`,
      reasoning:
        'The 409 is no rule about the name or the description, since the same ones were accepted alone. A usual cause is an id that both creations were given, as MAX(id) + 1 without a lock gives it.',
      exchanges: [before, alone],
    });
  }
  return undefined;
}

const isConflictOf = (one: Exchange, alone: Exchange | undefined): boolean =>
  statusOf(one) === 409 && one.request.body?.text === alone?.request.body?.text;

/** Only where it created its category: a success without effect may be a limit in disguise (LIMIT-3). */
function otherSuccess(evidence: Evidence): Judgement | undefined {
  const other = evidence
    .by('key')
    .find(
      (one) =>
        FURTHER.has(one.probe) &&
        one.request.method === 'POST' &&
        accepted(one) &&
        statusOf(one) !== 201 &&
        hasCreated(evidence, one),
    );
  if (other === undefined) return undefined;
  return fail({
    expected: '201 for each valid creation',
    received: `${receivedText(other)}, a creation that created its category (${sentText(other)})`,
    exchanges: [other],
  });
}

function hasCreated(evidence: Evidence, creation: Exchange): boolean {
  const name = sentCategory(creation)?.name;
  if (name === undefined) return false;
  return (
    createdBy(evidence, creation)?.name === name ||
    evidence
      .fact(lists)
      .some(({ exchange, contents }) => exchange.n > creation.n && contents.named(name).length > 0)
  );
}

const DOCUMENTED_STATUS = 'Clients act on the documented status.';
const VALIDATE = 'Validate the body against NewCategory before use, and answer 400 where it does not match.';
const STRICT_TYPES = `${VALIDATE} Switch type conversion off: many readers turn a number or a boolean into a string.`;
const STORED = 'An invalid body that is accepted becomes data that every client has to handle.';
/** What HTTP has for content that is absent or cannot be read: RFC 9110 §15.5.12, §15.5.16 and §15.5.21. */
const UNREADABLE = {
  statuses: [411, 415, 422],
  because:
    'The specification has 400 for a body that lacks required fields or holds invalid values; HTTP has 411, 415 and 422 for content that is absent or cannot be read.',
};
const IN_FRONT =
  'The response has none of the headers of the service: a firewall in front of it that rejects some bodies is the likely reason. Let it pass them at this path, so that clients get 400.';
const WHOLE_BODY = `${VALIDATE} Many parsers stop after the first value: read to the end of the body.`;

/** How the bodies of a requirement are judged beyond 400 or not. */
interface Rejects {
  readonly fix?: string;
  /** Statuses that one plausible reading of HTTP has for such a body, and why. */
  readonly otherwise?: { readonly statuses: readonly number[]; readonly because: string };
}

function rejects(id: JudgedId, what: string, { fix = VALIDATE, otherwise }: Rejects = {}): Requirement {
  const bodies = new Map<string, InvalidBody>(
    invalidBodies.filter(({ requirement }) => requirement === id).map((body) => [body.step, body]),
  );
  const problem = (evidence: Evidence, exchange: Exchange): Problem | undefined => {
    const readOnly = evidence.fact(mayOnlyRead);
    const found = expectStatus(exchange, 400, `a creation with an invalid body ("${exchange.step}")`);
    const status = statusOf(exchange);
    if (found?.verdict !== 'fail' || status === undefined) return found;
    if (readOnly !== undefined && isForbidden(exchange)) return inconclusive(readOnly);
    if (otherwise?.statuses.includes(status) === true) return warn(furtherReasoned(found, otherwise.because));
    if (status !== 201)
      return rejectedInFront(evidence, exchange) ? warn(furtherReasoned(found, IN_FRONT)) : found;
    const { acceptable } = bodies.get(exchange.step) ?? {};
    const stored = furtherReasoned(found, STORED, acceptable);
    return acceptable === undefined ? stored : warn(stored);
  };
  return {
    id,
    probes: ['rejections'],
    whyItMatters: DOCUMENTED_STATUS,
    fix,
    judge: (evidence) =>
      judgeEach(
        evidence.of('rejections').filter(({ step }) => bodies.has(step)),
        (exchange) => problem(evidence, exchange),
        {
          good: `${what} was always answered 400`,
          none: evidence.whyNothing('rejections'),
          every: true,
        },
      ),
  };
}

/** Judges that a valid creation returns 201, whatever bounds its names have. @param ofOthers what further creations show. */
function accepts(
  about: Pick<Requirement, 'id' | 'probes'>,
  step: ValidCreationStep,
  what: string,
  ofOthers: (evidence: Evidence) => Judgement | undefined,
): Requirement {
  return {
    ...about,
    whyItMatters: 'Creating a category is one of the two operations of this interface.',
    fix: 'Answer 201 with the created Category as soon as `name` is a string that the service allows.',
    judge: (evidence) => {
      const found = judgeCreation(evidence, step, what);
      const other = attemptsAt(evidence, step).rejected.find((one) => statusOf(one) !== 400);
      if (found.verdict !== 'pass') return found;
      if (other === undefined) return ofOthers(evidence) ?? found;
      return warn({
        expected: '400, if the service takes these values for invalid',
        received: `${receivedText(other)} (${sentText(other)})`,
        reasoning: found.checked,
        exchanges: found.exchanges,
      });
    },
  };
}

export const createCategory: readonly Requirement[] = [
  accepts(
    { id: 'CREATE-1', probes: ['first-creation', 'first-batch', 'creations', 'second-batch'] },
    firstCreation.steps.nameAndDescription,
    'a creation with name and description',
    (evidence) => otherSuccess(evidence) ?? failsToCreate(evidence) ?? conflictBesideAnother(evidence),
  ),
  accepts(
    { id: 'CREATE-2', probes: ['first-creation', 'creations'] },
    creations.steps.nameAlone,
    'a creation with only a name',
    () => undefined,
  ),
  {
    id: 'CREATE-3',
    probes: ['first-creation', 'first-batch', 'creations', 'open-creations', 'second-batch'],
    whyItMatters: 'The 201 response is all that a client knows about the category it created.',
    fix: 'Answer 201 with the category as it was stored: the id of the service, and `name` and `description` as sent.',
    judge: echoesWhatWasSent,
  },
  rejects('CREATE-4', 'A body without a name'),
  rejects('CREATE-5', 'A name that is a number, a boolean, null, an array or an object', {
    fix: STRICT_TYPES,
  }),
  rejects('CREATE-6', 'A description that is a number, a boolean, an array or an object', {
    fix: STRICT_TYPES,
  }),
  rejects('CREATE-7', 'A body that is an array, a string, a number or null'),
  rejects('CREATE-8', 'An absent body (with and without a content type)', { otherwise: UNREADABLE }),
  rejects('CREATE-9', 'Malformed JSON (truncated, and with text after it)', {
    fix: WHOLE_BODY,
    otherwise: UNREADABLE,
  }),
  {
    id: 'CREATE-10',
    probes: [
      'rejections',
      'unauthenticated-creations',
      'list-after-creations',
      'second-batch',
      'recovery',
      'list-pages',
    ],
    whyItMatters:
      'A client that receives an error does not expect a new category, and sends the creation again.',
    fix: 'Store nothing before authentication and validation have succeeded.',
    judge: nothingCreated,
  },
  {
    id: 'CREATE-11',
    probes: ['first-creation', 'first-batch', 'creations', 'open-creations', 'second-batch'],
    whyItMatters: 'A client cannot distinguish two categories with the same id.',
    fix: 'Take the id from one sequence that every worker and instance shares.',
    judge: distinctIds,
  },
  {
    id: 'CREATE-12',
    probes: ['creations'],
    whyItMatters: 'If clients choose ids, two of them can choose the same one.',
    fix: 'Ignore or reject an `id` in the body of a creation, and assign one in the service.',
    judge: ownIdsIgnored,
  },
  {
    id: 'CREATE-14',
    probes: ['first-creation', 'creations', 'second-batch', 'list-after-creations', 'recovery'],
    whyItMatters: 'A client that created one category finds two, and cannot remove either.',
    fix: 'Send no creation again on its own, neither in the service nor in a gateway before it.',
    judge: storedOnce,
  },
];

/** The creations whose name or description a target may reject for its length or characters. */
const BOUNDED: readonly ValidCreationStep[] = [
  firstCreation.steps.nameAndDescription,
  creations.steps.nameAlone,
  creations.steps.charset,
  creations.steps.idOfAnother,
  creations.steps.unassignedId,
];

export const openCreationsObserved: Observable = {
  id: 'CREATE-13',
  probes: ['first-creation', 'first-batch', 'creations', 'open-creations', 'second-batch'],
  observe(evidence) {
    const open = evidence.of('open-creations');
    // Each attempt at one that was rejected, so that both sides of the bound show.
    const bounds = BOUNDED.map((step) => attemptsAt(evidence, step)).filter((one) => one.rejected.length > 0);
    const inBatch = evidence.of('first-batch', 'second-batch', 'exhaust-quota').filter(isRejected);
    const rejected = [...bounds.flatMap(({ all }) => all), ...inBatch];
    const changed = evidence.fact(creationsSeen).flatMap((creation) =>
      changedFields(creation)
        .filter(({ change }) => change.kind === 'allowed')
        .map((field) => ({ creation, field })),
    );
    if (open.length + rejected.length + changed.length === 0)
      return { value: evidence.whyNothing('open-creations') };
    return {
      value: [
        ...open.map((exchange) => `${exchange.step}: ${responseText(exchange)}`),
        ...rejected.map((exchange) => `${sentText(exchange)}: ${responseText(exchange)}`),
        ...changed.map(
          ({ field }) => `${field.field} with ${field.property ?? 'plain text'}: ${field.change.cause ?? ''}`,
        ),
      ].join('; '),
      exchanges: [...open, ...rejected, ...changed.map(({ creation }) => creation.exchange)],
    };
  },
};
