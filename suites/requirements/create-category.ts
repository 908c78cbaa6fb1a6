import type { Exchange } from '../../exchanges/exchange.ts';
import { exchangeName, outcomeText } from '../../exchanges/exchange-text.ts';
import { statusOf } from '../../exchanges/headers.ts';
import { quoted } from '../../words/text.ts';
import { expectJson, expectStatus, isProblem } from '../evidence/answers.ts';
import { creationsByExchange } from '../evidence/categories.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { jsonValueText } from '../evidence/json-value-text.ts';
import type { Problem } from '../evidence/judgement.ts';
import { doubt, judgeEach, violation, warn } from '../evidence/judgement.ts';
import type { JudgedId, Observable, Requirement } from '../evidence/requirement.ts';
import type { ValidCreationStep, Wanted } from '../evidence/valid-creations.ts';
import { attemptsAt, judgeCreation, sent } from '../evidence/valid-creations.ts';
import { creations, firstCreation, listAfterCreations, secondBatch } from '../probes/creations.ts';
import { openCreations } from '../probes/open-behavior.ts';
import { recovery } from '../probes/recovery.ts';
import type { InvalidBody } from '../probes/rejections.ts';
import { invalidBodies, rejections } from '../probes/rejections.ts';
import { invalidCredentials } from '../probes/unauthenticated.ts';
import { distinctIds, ownIdsIgnored } from './create-category/ids.ts';
import { nothingCreated } from './create-category/nothing-created.ts';

const UNCHECKED = 'Clients act on the status that is documented.';
const STORED = 'An invalid body that is accepted becomes data that every client has to handle.';
const COERCED = 'Many readers turn a number or a boolean into a string by themselves: have yours be strict.';
/** What HTTP has for content that is absent or cannot be read: RFC 9110 §15.5.12, §15.5.16 and §15.5.21. */
const UNREADABLE = {
  statuses: [411, 415, 422],
  because:
    'The specification has 400 for a body that lacks required fields or holds invalid values; HTTP has 411, 415 and 422 for content that is absent or cannot be read.',
};
const HALF_READ = 'Many parsers are content with the first value: read to the end of the body.';

/** How the bodies of a requirement are judged beyond 400 or not. */
interface Rejects {
  /** How a service comes to accept one. */
  readonly accepted?: string;
  /** Statuses that one honest reading of HTTP has for such a body, and why. */
  readonly otherwise?: { readonly statuses: readonly number[]; readonly because: string };
}

/** Judges that every body of this requirement is answered 400. */
function rejects(id: JudgedId, what: string, { accepted, otherwise }: Rejects = {}): Requirement {
  const bodies = new Map<string, InvalidBody>(
    invalidBodies.filter(({ requirement }) => requirement === id).map((body) => [body.step, body]),
  );
  const problem = (exchange: Exchange): Problem | undefined => {
    const found = expectStatus(exchange, 400, `a creation where "${exchange.step}"`);
    const status = statusOf(exchange);
    if (found?.kind !== 'violation' || status === undefined) return found;
    if (otherwise?.statuses.includes(status) === true) return doubt(`${found.text} ${otherwise.because}`);
    if (status !== 201) return found;
    const { acceptable } = bodies.get(exchange.step) ?? {};
    const text = [found.text, accepted, STORED].filter((part) => part !== undefined).join(' ');
    return acceptable === undefined ? violation(text) : doubt(`${text} ${acceptable}`);
  };
  return {
    id,
    probes: [rejections],
    whyItMatters: UNCHECKED,
    judge: (evidence) =>
      judgeEach(
        evidence.of(rejections).filter(({ step }) => bodies.has(step)),
        problem,
        { good: `${what} answered 400`, none: evidence.whyNothing(rejections), every: true },
      ),
  };
}

/** Judges that a valid creation is answered 201, whatever bounds its names have. */
function accepts(id: 'CREATE-1' | 'CREATE-2', wanted: Wanted): Requirement {
  return {
    id,
    probes: [firstCreation, creations],
    whyItMatters: 'Creating a category is one of the two operations of this interface.',
    judge: (evidence) => {
      const found = judgeCreation(evidence, wanted);
      const other = attemptsAt(evidence, wanted.step).rejected.find((one) => statusOf(one) !== 400);
      if (found.verdict !== 'pass' || other === undefined) return found;
      return warn(
        `Expected 400 for a body that holds invalid values, if this one does, but ${exchangeName(other)} ${outcomeText(other)} to ${sent(other)}. ${found.because}`,
        found.exchanges,
      );
    },
  };
}

/** Chapter "Create a category". */
export const createCategory: readonly Requirement[] = [
  accepts('CREATE-1', {
    step: firstCreation.steps.nameAndDescription,
    what: 'a creation with name and description',
  }),
  accepts('CREATE-2', { step: creations.steps.nameAlone, what: 'a creation with a name alone' }),
  {
    id: 'CREATE-3',
    probes: [firstCreation, creations],
    whyItMatters: 'The answer is all that a client knows of what it has created.',
    judge: (evidence) =>
      judgeEach(created(evidence), (exchange) => echoProblem(evidence, exchange), {
        good: 'Each 201 to a valid creation showed a Category with the name and, where one was sent, the description of the request',
        none: evidence.whyNothing(firstCreation, creations),
      }),
  },
  rejects('CREATE-4', 'A body without a name'),
  rejects('CREATE-5', 'A name that is a number, a boolean, null, an array or an object', {
    accepted: COERCED,
  }),
  rejects('CREATE-6', 'A description that is a number, a boolean, an array or an object', {
    accepted: COERCED,
  }),
  rejects('CREATE-7', 'A body that is an array, a string, a number or null'),
  rejects('CREATE-8', 'An absent body (with and without a content type)', { otherwise: UNREADABLE }),
  rejects('CREATE-9', 'Malformed JSON (truncated, and with text after it)', {
    accepted: HALF_READ,
    otherwise: UNREADABLE,
  }),
  {
    id: 'CREATE-10',
    probes: [rejections, invalidCredentials, listAfterCreations, secondBatch, recovery],
    whyItMatters: 'A client that got an error does not look for what it has created, and sends it again.',
    judge: nothingCreated,
  },
  {
    id: 'CREATE-11',
    probes: [firstCreation, creations, openCreations],
    whyItMatters: 'Two categories with one id cannot be told apart.',
    judge: distinctIds,
  },
  {
    id: 'CREATE-12',
    probes: [creations],
    whyItMatters: 'An id that a client can choose is an id that two clients can choose.',
    judge: ownIdsIgnored,
  },
];

const created = (evidence: Evidence): readonly Exchange[] =>
  evidence.of(firstCreation, creations).filter((exchange) => statusOf(exchange) === 201);

function echoProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const json = expectJson(exchange, 'the created category');
  if (isProblem(json)) return json;
  const broken = evidence.schemas.category(json).find(({ problem }) => problem.kind === 'violation');
  if (broken !== undefined)
    return violation(
      `Expected a Category, but the body of ${exchangeName(exchange)} ${broken.problem.text}.`,
    );
  const creation = evidence.fact(creationsByExchange).get(exchange);
  if (creation?.seen === undefined) return undefined;
  const { sent, seen } = creation;
  if (seen.name !== sent.name) {
    return violation(
      `Expected the name ${quoted(sent.name)}, but ${exchangeName(exchange)} answered ${jsonValueText(seen.name)}.`,
    );
  }
  if (sent.description !== undefined && seen.description !== sent.description) {
    return violation(
      `Expected the description ${quoted(sent.description)}, but ${exchangeName(exchange)} answered ${jsonValueText(seen.description)}.`,
    );
  }
  return undefined;
}

/** The creations whose name or description a target may reject for its length or characters. */
const BOUNDED: readonly ValidCreationStep[] = [
  firstCreation.steps.nameAndDescription,
  creations.steps.nameAlone,
  creations.steps.charset,
  creations.steps.inexactId,
  creations.steps.exactId,
];

/** What the specification leaves open about creations. */
export const openCreationsObserved: readonly Observable[] = [
  {
    id: 'CREATE-13',
    probes: [firstCreation, creations, openCreations],
    observe(evidence) {
      const bounds = BOUNDED.flatMap((step) => boundsAt(evidence, step));
      const exchanges = evidence.of(openCreations);
      const told = exchanges.map((exchange) => `${exchange.step}: ${outcomeText(exchange)}`);
      if (told.length + bounds.length === 0) return { value: evidence.whyNothing(openCreations) };
      return {
        value: [...told, ...bounds.map((exchange) => `${sent(exchange)}: ${outcomeText(exchange)}`)].join(
          '; ',
        ),
        exchanges: [...exchanges, ...bounds],
      };
    },
  },
];

/** Where a valid creation was rejected: each attempt at it, so that both sides of the bound show. */
function boundsAt(evidence: Evidence, step: ValidCreationStep): readonly Exchange[] {
  const { all, rejected } = attemptsAt(evidence, step);
  return rejected.length === 0 ? [] : all;
}
