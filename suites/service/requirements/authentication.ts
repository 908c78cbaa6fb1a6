import { countOf } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import {
  exchangeName,
  isRateLimited,
  receivedText,
  responseText,
  unavailable,
} from '../../../kernel/exchanges/outcome-kinds.ts';
import { hasRateHeaders } from '../../../kernel/exchanges/rate-headers.ts';
import type { Judgement, Problem } from '../../../kernel/findings/judgement.ts';
import {
  fail,
  inconclusive,
  isAdverse,
  judgeEach,
  notTested,
  unproven,
  warn,
} from '../../../kernel/findings/judgement.ts';
import { expectStatus, isSuccess, namedPathOf, namedWithKey } from '../evidence/answers.ts';
import { creationsSeen, lists, sentCategory } from '../evidence/categories.ts';
import type { Evidence, JudgedId, Observable, Requirement } from '../evidence/evidence.ts';
import { canonical, fieldsOf, jsonIn, numberText, stringsIn } from '../evidence/json.ts';
import { isLockedOut } from '../evidence/locked-out.ts';
import { carriesKey } from '../model/lockout.ts';
import type { ProbeId, StepNameOf } from '../probes/index.ts';
import { UNAUTHENTICATED } from '../probes/index.ts';
import { secondWindow } from '../probes/later-windows.ts';
import {
  ANOTHER_CASE,
  BEARER_ELSEWHERE,
  CLAIMS,
  COOKIES_OF_TARGET,
  CREATION_WITH_THE_KEY_IN_IT,
  CREATIONS_CLOSE_TO_THE_KEY,
  CREATIONS_WITH_A_MISPLACED_KEY,
  FORMS_OF_THE_KEY,
  METHODS,
  NEVER_ISSUED,
  OTHER_PATHS,
  OTHER_SCHEMES,
  WITHOUT_KEY_OTHERWISE,
} from '../probes/other-spellings.ts';
import {
  invalidCredentials,
  lockoutSteps,
  MISPLACED_KEYS,
  NAMED_OPERATIONS,
  NEAR_MISSES,
  unauthenticatedAfterKey,
  unauthenticatedBeforeKey,
} from '../probes/unauthenticated.ts';

/** A target that locked the key after keys like it may answer 403 or 423, so the key itself has to be tried afterwards. */
function expectUnauthorized(evidence: Evidence, exchange: Exchange, request: string): Problem | undefined {
  const mayBeLocked = LOCKED.has(statusOf(exchange)) && carriesKey(exchange) && isUntried(evidence, exchange);
  if (!mayBeLocked) return expectStatus(exchange, 401, request);
  return unproven(
    { expected: `401 for ${request}`, received: receivedText(exchange) },
    'No later response to the key itself shows whether the target has locked it, after keys like it that were rejected.',
  );
}

const LOCKED: ReadonlySet<number | undefined> = new Set([403, 423]);

/** Whether the run looked for a lockout, and since the first answer of this status no response to the key excludes a lock of it. */
function isUntried(evidence: Evidence, exchange: Exchange): boolean {
  const alike = evidence.by('unauthenticated').find((one) => statusOf(one) === statusOf(exchange));
  const since = Math.min(exchange.n, alike?.n ?? exchange.n);
  return (
    evidence.exchanges.some((one) => one.n > exchange.n && one.step === lockoutSteps.withoutKey) &&
    !evidence.by('key').some((one) => one.n > since && statusOf(one) !== undefined && !isRateLimited(one))
  );
}

/** A success violates in any case (AUTH-5). Another status than 401 violates where the operation is there; a 404 tests nothing. */
function judgeNamedOperations(evidence: Evidence): Judgement {
  const sent = lastResponses(evidence, ...EVERY_CALLER).filter((one) => namedPathOf(one) !== undefined);
  const present = sent.filter((exchange) => statusOf(exchange) !== 404);
  if (sent.length > 0 && present.length === 0)
    return notTested(
      `The target answers 404 to ${NAMED_OPERATIONS.join(' and ')}: the operations are absent.`,
      sent,
    );
  const shown = present.filter((exchange) => !mayBeAbsent(evidence, exchange));
  if (present[0] !== undefined && shown.length === 0)
    return notTested(
      `Without a valid key the target sent ${receivedText(present[0])}, and no answer with the key shows that the operation is there.`,
      present,
    );
  const absent = shown.length < sent.length ? ', apart from one that seems to be absent,' : '';
  return judgeEach(
    shown,
    (exchange) =>
      expectUnauthorized(evidence, exchange, `a named operation without a valid key ("${exchange.step}")`),
    {
      good: `A named operation without a valid key${absent} was always answered 401`,
      none: evidence.whyNothing(...EVERY_CALLER),
    },
  );
}

/** Then it may come from a gateway or a router: with the key the answer was no success, and no 501 of the service either. */
function mayBeAbsent(evidence: Evidence, exchange: Exchange): boolean {
  const status = statusOf(exchange);
  if (status === undefined || status === 401 || status === 429 || isSuccess(exchange)) return false;
  return !namedWithKey(evidence, namedPathOf(exchange) ?? '').some(isThere);
}

/** A success is the operation's. So is a 501 with the headers of the service; a router in front of it has none. */
const isThere = (exchange: Exchange): boolean =>
  isSuccess(exchange) || (statusOf(exchange) === 501 && hasRateHeaders(exchange));

const REST = ['invalid-credentials', 'invalid-credentials-again'] as const;
const EVERY_CALLER = [...UNAUTHENTICATED, 'invalid-credentials-again'] as const;
type UnauthenticatedStep = StepNameOf<(typeof EVERY_CALLER)[number] | 'second-window'>;
const { creationWithoutKey, creationWithUnknownKey, invalidCreationWithoutKey, unknownKey } =
  invalidCredentials.steps;
const OPEN_ACCESS =
  'Every operation requires a valid key; without that check anyone can read and create data.';
const CHECK_FIRST =
  'Check the key before the handler of every operation runs, and answer 401 where it is missing or unknown.';

interface Subject {
  /** The requests that must be answered 401, as a noun phrase … */
  readonly what: string;
  readonly steps: readonly UnauthenticatedStep[];
  /** … creations that must be answered 401, too, where the target answers them … */
  readonly creations?: readonly string[];
  /** … and requests that the specification does not show and that must not be served. */
  readonly otherwise?: readonly string[];
}

/** Judges that the chosen requests without a valid key return 401, and that no other one is served. */
function unauthorized(id: JudgedId, subject: Subject): Requirement {
  return {
    id,
    probes: [...EVERY_CALLER, 'other-spellings'],
    whyItMatters: OPEN_ACCESS,
    fix: CHECK_FIRST,
    judge(evidence) {
      const found = judgeStrictly(evidence, subject);
      if (found.verdict === 'fail') return found;
      const further = judgeFurther(evidence, subject);
      if (isAdverse(further)) return further;
      const open = found.verdict === 'pass' ? leftOpenByLockout(evidence, subject) : undefined;
      if (open !== undefined) return open;
      if (further.verdict !== 'pass' || found.verdict !== 'pass') return found;
      return { ...found, checked: `${found.checked} ${further.checked}` };
    },
  };
}

const judgeStrictly = (evidence: Evidence, { what, steps }: Subject): Judgement =>
  judgeEach(
    [
      ...lastResponses(evidence, ...EVERY_CALLER),
      // A service may limit unauthorized requests, and the second window sends each of them several times.
      ...evidence
        .step('second-window', secondWindow.steps.similarKey)
        .filter((exchange) => !isRateLimited(exchange)),
    ].filter((exchange) => isDocumentedOperation(exchange) && steps.some((step) => step === exchange.step)),
    (exchange) => expectUnauthorized(evidence, exchange, `${what} ("${exchange.step}")`),
    {
      good: `${what} was always answered 401`,
      none: evidence.whyNothing(...EVERY_CALLER),
      every: true,
    },
  );

/** Judges the requests of the last probe. A target that no longer answers them proves nothing. */
function judgeFurther(evidence: Evidence, { what, creations, otherwise }: Subject): Judgement {
  const sent = (steps: readonly string[] = []): readonly Exchange[] =>
    lastResponses(evidence, 'other-spellings').filter(({ step }) => steps.includes(step));
  const strictly = new Set(sent(creations));
  return judgeEach(
    [...strictly, ...sent(otherwise)],
    (exchange) =>
      strictly.has(exchange)
        ? expectUnauthorized(evidence, exchange, `${what} ("${exchange.step}")`)
        : servedProblem(evidence, exchange),
    {
      good: strictly.size > 0 ? FURTHER_CREATIONS : FURTHER_SPELLINGS,
      none: evidence.whyNothing('other-spellings'),
    },
  );
}

const NOT_ALWAYS_SENT: ReadonlySet<string> = new Set([COOKIES_OF_TARGET, secondWindow.steps.similarKey]);

/** What a lockout of the run leaves open although everything before it was answered as specified; undefined where nothing is. */
function leftOpenByLockout(
  evidence: Evidence,
  { steps, creations = [], otherwise = [] }: Subject,
): Judgement | undefined {
  if (evidence.lockouts.length === 0) return undefined;
  const all = lastResponses(evidence, ...EVERY_CALLER, 'other-spellings');
  const answered = new Set(all.filter((one) => answerOf(one) !== undefined).map(({ step }) => step));
  const further = evidence.planned('other-spellings') ? [...creations, ...otherwise] : [];
  const open = [...steps, ...further].filter((step) => !answered.has(step) && !NOT_ALWAYS_SENT.has(step));
  const [first] = open;
  if (first === undefined) return undefined;
  return inconclusive(
    `The run was locked out before the service answered ${countOf(open.length, 'request')} of this requirement, the first of them "${first}". All before were answered as expected.`,
    all.filter((one) => isLockedOut(one) && open.includes(one.step)).slice(0, 1),
  );
}

const FURTHER_CREATIONS = 'Creations with such a key returned 401, and no other text like it was accepted';
const FURTHER_SPELLINGS = 'No other spelling, method or token was served';

/** The exchanges of these probes, without each 429 to a request that was sent again. */
function lastResponses(evidence: Evidence, ...among: readonly ProbeId[]): readonly Exchange[] {
  const all = evidence.of(...EVERY_CALLER, 'other-spellings');
  const isSentAgain = (exchange: Exchange): boolean =>
    isRateLimited(exchange) && all.findLast((later) => isSameRequest(exchange, later)) !== exchange;
  return evidence.of(...among).filter((exchange) => !isSentAgain(exchange));
}

const isSameRequest = (one: Exchange, other: Exchange): boolean =>
  one.step === other.step &&
  one.request.method === other.request.method &&
  one.request.target === other.request.target;

export const authentication: readonly Requirement[] = [
  unauthorized('AUTH-1', {
    what: 'a list request or a creation without Authorization',
    steps: [
      unauthenticatedBeforeKey.steps.beforeKey,
      unauthenticatedAfterKey.steps.afterKey,
      creationWithoutKey,
    ],
    otherwise: WITHOUT_KEY_OTHERWISE,
  }),
  unauthorized('AUTH-2', {
    what: 'a request with an unknown key',
    steps: [unknownKey, creationWithUnknownKey],
    otherwise: NEVER_ISSUED,
  }),
  unauthorized('AUTH-3', {
    what: 'a key close to the valid one',
    steps: [...NEAR_MISSES, secondWindow.steps.similarKey],
    creations: CREATIONS_CLOSE_TO_THE_KEY,
    otherwise: FORMS_OF_THE_KEY,
  }),
  unauthorized('AUTH-4', {
    what: 'a key anywhere other than Authorization: Bearer',
    steps: MISPLACED_KEYS,
    creations: CREATIONS_WITH_A_MISPLACED_KEY,
    otherwise: [BEARER_ELSEWHERE, ...OTHER_SCHEMES, COOKIES_OF_TARGET, CREATION_WITH_THE_KEY_IN_IT],
  }),
  {
    id: 'AUTH-5',
    probes: [...EVERY_CALLER, 'other-operations'],
    whyItMatters: OPEN_ACCESS,
    fix: CHECK_FIRST,
    judge: judgeNamedOperations,
  },
  {
    id: 'AUTH-6',
    probes: REST,
    whyItMatters: 'A service that validates first reveals its rules to unauthenticated clients.',
    fix: 'Authenticate before the body is read and validated.',
    judge: (evidence) =>
      judgeEach(
        lastResponses(evidence, ...REST).filter(({ step }) => step === invalidCreationWithoutKey),
        (exchange) => expectUnauthorized(evidence, exchange, 'an invalid creation without a key'),
        { good: 'An invalid creation without a key returned 401', none: evidence.whyNothing(...REST) },
      ),
  },
];

export const openAuthentication: Observable = {
  id: 'AUTH-7',
  probes: ['presentations', 'repeated-authorization', 'other-spellings'],
  observe(evidence) {
    const exchanges = [
      ...evidence.of('presentations', 'repeated-authorization'),
      ...evidence.step('other-spellings', ANOTHER_CASE),
    ];
    if (exchanges.length === 0) return { value: evidence.whyNothing('presentations') };
    return {
      value: exchanges.map((exchange) => `${exchange.step}: ${responseText(exchange)}`).join('; '),
      exchanges,
    };
  },
};

/** Steps whose success alone serves nothing: a preflight, and paths that may be pages in front of the service. */
const MAY_SUCCEED: ReadonlySet<string> = new Set([
  ...OTHER_PATHS,
  METHODS.options,
  METHODS.optionsForGet,
  METHODS.optionsForPost,
]);

/** Only what serves the list, creates, or succeeds violates; what answers 3xx or 4xx, a page or a preflight serves nothing. */
function servedProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const status = statusOf(exchange);
  if (status === undefined || status === 429 || unavailable(exchange))
    return inconclusive(`The target sent ${receivedText(exchange)}, which shows nothing about the key.`);
  if (!isSuccess(exchange)) return undefined;
  const received = receivedText(exchange);
  if (exchange.request.method === 'HEAD')
    return warn({
      expected: '401 to HEAD without a key, as to GET',
      received,
      reasoning:
        'The specification shows no HEAD. RFC 9110 §9.3.2 defines it as GET without the content, so its headers are those of the list.',
    });
  if (status === 201 || !mayServeNothing(exchange) || showsCategories(evidence, exchange))
    return fail({ expected: `no success without a valid key ("${exchange.step}")`, received });
  return answerOf(exchange)?.body.cut === true
    ? inconclusive(`Only a part of the body of ${exchangeName(exchange)} was kept, so it cannot be compared.`)
    : undefined;
}

/** Whether a success alone serves nothing. A gateway may answer a monitor or a browser itself, and then with no list. */
const mayServeNothing = (exchange: Exchange): boolean =>
  MAY_SUCCEED.has(exchange.step) ||
  (Object.hasOwn(CLAIMS, exchange.step) && !Array.isArray(jsonIn(answerOf(exchange)?.body)));

/** Whether a response holds categories that callers with a key saw, or the one that its request sent with an id. */
function showsCategories(evidence: Evidence, exchange: Exchange): boolean {
  const json = jsonIn(answerOf(exchange)?.body);
  if (json === undefined) return false;
  const { names, entries } = evidence.fact(seenWithKey);
  const sent = sentCategory(exchange)?.name;
  const fields = fieldsOf(json);
  if (sent !== undefined && fields?.get('name') === sent && fields.has('id')) return true;
  if (stringsIn(json).some((text) => names.has(text))) return true;
  const wrapped = [...(fields?.values() ?? [])];
  return [json, ...wrapped].some(
    (items) => Array.isArray(items) && items.some((item) => entries.has(entryText(item))),
  );
}

/** The names that this run created, and every category of the lists that the key received. */
function seenWithKey(evidence: Evidence) {
  const keyed = evidence.fact(lists).filter(({ exchange }) => exchange.caller === 'key');
  const contents = new Set(keyed.map((list) => list.contents));
  const items = [...contents].flatMap((one) => one.items);
  return {
    names: new Set(
      evidence.fact(creationsSeen).flatMap(({ sent }) => (sent === undefined ? [] : [sent.name])),
    ),
    entries: new Set(items.map(({ value }) => entryText(value)).filter((text) => text !== '')),
  };
}

/** The id and the name of a category as one text; empty for anything else. */
function entryText(item: unknown): string {
  const fields = fieldsOf(item);
  const [id, name] = [numberText(fields?.get('id')), fields?.get('name')];
  return id === undefined || typeof name !== 'string' ? '' : `${canonical(id)} ${name}`;
}
