import { countOf } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { responseText } from '../../../kernel/exchanges/exchange-text.ts';
import { answerOf } from '../../../kernel/exchanges/headers.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/operation.ts';
import { isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { inconclusive, isAdverse, judgeEach } from '../../../kernel/findings/judgement.ts';
import { namedPathOf } from '../evidence/answers.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { isLockedOut } from '../evidence/locked-out.ts';
import type { JudgedId, Observable, Requirement } from '../evidence/requirement.ts';
import { otherOperations, presentations, repeatedAuthorization } from '../probes/open-behavior.ts';
import {
  ANOTHER_CASE,
  BEARER_ELSEWHERE,
  COOKIES_OF_TARGET,
  CREATION_WITH_THE_KEY_IN_IT,
  CREATIONS_CLOSE_TO_THE_KEY,
  CREATIONS_WITH_A_MISPLACED_KEY,
  FORMS_OF_THE_KEY,
  NEVER_ISSUED,
  OTHER_SCHEMES,
  otherSpellings,
  WITHOUT_KEY_OTHERWISE,
} from '../probes/other-spellings.ts';
import type { Probe, StepOf } from '../probes/probe.ts';
import { secondWindow } from '../probes/second-window.ts';
import {
  invalidCredentials,
  invalidCredentialsAgain,
  MISPLACED_KEYS,
  NEAR_MISSES,
  unauthenticatedAfterKey,
  unauthenticatedBeforeKey,
  unauthenticatedCreations,
} from '../probes/unauthenticated.ts';
import { expectUnauthorized } from './authentication/expect-unauthorized.ts';
import { judgeNamedOperations } from './authentication/named-operations.ts';
import { servedProblem } from './authentication/served.ts';

const REST = [invalidCredentials, invalidCredentialsAgain] as const;
const EVERY_CALLER = [
  unauthenticatedBeforeKey,
  unauthenticatedAfterKey,
  unauthenticatedCreations,
  ...REST,
] as const;
type UnauthenticatedStep = StepOf<(typeof EVERY_CALLER)[number] | typeof secondWindow>;
const { creationWithoutKey, creationWithUnknownKey, invalidCreationWithoutKey, unknownKey } =
  invalidCredentials.steps;
const OPEN_ACCESS =
  'Every operation requires a valid key; without that check anyone can read and create data.';
const CHECK_FIRST =
  'Check the key before the handler of every operation runs, and answer 401 where it is missing or unknown.';

/** What an authentication requirement is about. */
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
    probes: [...EVERY_CALLER, otherSpellings],
    whyItMatters: OPEN_ACCESS,
    fix: CHECK_FIRST,
    judge(evidence) {
      const found = judgeStrictly(evidence, subject);
      if (found.verdict === 'fail') return found;
      const further = judgeFurther(evidence, subject);
      if (further !== undefined && isAdverse(further)) return further;
      const open = found.verdict === 'pass' ? leftOpenByLockout(evidence, subject) : undefined;
      if (open !== undefined) return open;
      if (further?.verdict !== 'pass' || found.verdict !== 'pass') return found;
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
        .step(secondWindow, secondWindow.steps.similarKey)
        .filter((exchange) => !isRateLimited(exchange)),
    ].filter((exchange) => isDocumentedOperation(exchange) && isStep(...steps)(exchange)),
    (exchange) => expectUnauthorized(evidence, exchange, `${what} ("${exchange.step}")`),
    {
      good: `${what} was always answered 401`,
      none: evidence.whyNothing(...EVERY_CALLER),
      every: true,
    },
  );

/** Judges the requests of the last probe; undefined where none was sent. A target that no longer answers them proves nothing. */
function judgeFurther(evidence: Evidence, { what, creations, otherwise }: Subject): Judgement | undefined {
  const sent = (steps: readonly string[] = []): readonly Exchange[] =>
    lastResponses(evidence, otherSpellings).filter(({ step }) => steps.includes(step));
  const strictly = new Set(sent(creations));
  const all = [...strictly, ...sent(otherwise)];
  if (all.length === 0) return undefined;
  return judgeEach(
    all,
    (exchange) =>
      strictly.has(exchange)
        ? expectUnauthorized(evidence, exchange, `${what} ("${exchange.step}")`)
        : servedProblem(evidence, exchange),
    {
      good: strictly.size > 0 ? FURTHER_CREATIONS : FURTHER_SPELLINGS,
      none: evidence.whyNothing(otherSpellings),
    },
  );
}

/** Steps that not every run sends. */
const NOT_ALWAYS_SENT: ReadonlySet<string> = new Set([COOKIES_OF_TARGET, secondWindow.steps.similarKey]);

/** What a lockout of the run leaves open although everything before it was answered as specified; undefined where nothing is. */
function leftOpenByLockout(
  evidence: Evidence,
  { steps, creations = [], otherwise = [] }: Subject,
): Judgement | undefined {
  if (evidence.lockouts.length === 0) return undefined;
  const all = lastResponses(evidence, ...EVERY_CALLER, otherSpellings);
  const answered = new Set(all.filter((one) => answerOf(one) !== undefined).map(({ step }) => step));
  const further = evidence.planned(otherSpellings) ? [...creations, ...otherwise] : [];
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
function lastResponses(evidence: Evidence, ...among: readonly Probe[]): readonly Exchange[] {
  const all = evidence.of(...EVERY_CALLER, otherSpellings);
  const isSentAgain = (exchange: Exchange): boolean =>
    isRateLimited(exchange) && all.findLast((later) => isSameRequest(exchange, later)) !== exchange;
  return evidence.of(...among).filter((exchange) => !isSentAgain(exchange));
}

const isSameRequest = (one: Exchange, other: Exchange): boolean =>
  one.step === other.step &&
  one.request.method === other.request.method &&
  one.request.target === other.request.target;

const isStep =
  (...names: readonly UnauthenticatedStep[]) =>
  (exchange: Exchange): boolean =>
    (names as readonly string[]).includes(exchange.step);

/** Chapter "Authentication". */
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
    probes: [...EVERY_CALLER, otherOperations],
    whyItMatters: OPEN_ACCESS,
    fix: CHECK_FIRST,
    judge: (evidence) =>
      judgeNamedOperations(
        evidence,
        lastResponses(evidence, ...EVERY_CALLER).filter((exchange) => namedPathOf(exchange) !== undefined),
        evidence.whyNothing(...EVERY_CALLER),
      ),
  },
  {
    id: 'AUTH-6',
    probes: REST,
    whyItMatters: 'A service that validates first reveals its rules to unauthenticated clients.',
    fix: 'Authenticate before the body is read and validated.',
    judge: (evidence) =>
      judgeEach(
        lastResponses(evidence, ...REST).filter(isStep(invalidCreationWithoutKey)),
        (exchange) => expectUnauthorized(evidence, exchange, 'an invalid creation without a key'),
        { good: 'An invalid creation without a key returned 401', none: evidence.whyNothing(...REST) },
      ),
  },
];

/** What the specification leaves open about credentials. */
export const openAuthentication: readonly Observable[] = [
  {
    id: 'AUTH-7',
    probes: [presentations, repeatedAuthorization, otherSpellings],
    observe(evidence) {
      const exchanges = [
        ...evidence.of(presentations, repeatedAuthorization),
        ...evidence.step(otherSpellings, ANOTHER_CASE),
      ];
      if (exchanges.length === 0) return { value: evidence.whyNothing(presentations) };
      return {
        value: exchanges.map((exchange) => `${exchange.step}: ${responseText(exchange)}`).join('; '),
        exchanges,
      };
    },
  },
];
