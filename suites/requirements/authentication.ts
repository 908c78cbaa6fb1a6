import type { Exchange } from '../../exchanges/exchange.ts';
import { receivedText, responseText } from '../../exchanges/exchange-text.ts';
import { statusOf } from '../../exchanges/headers.ts';
import { isDocumentedOperation } from '../../exchanges/operation.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { expectStatus } from '../evidence/answers.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Problem } from '../evidence/judgement.ts';
import { judgeEach, notTested, unclear, violation } from '../evidence/judgement.ts';
import type { JudgedId, Observable, Requirement } from '../evidence/requirement.ts';
import { capitalized } from '../model/finding-text.ts';
import { presentations, repeatedAuthorization } from '../probes/open-behavior.ts';
import type { Probe, StepOf } from '../probes/probe.ts';
import { secondWindow } from '../probes/second-window.ts';
import {
  invalidCredentials,
  invalidCredentialsAgain,
  MISPLACED_KEYS,
  NAMED_OPERATIONS,
  NEAR_MISSES,
  namedOperationsUnauthenticated,
  unauthenticatedAfterKey,
  unauthenticatedBeforeKey,
} from '../probes/unauthenticated.ts';

const WITHOUT_KEY = [
  unauthenticatedBeforeKey,
  unauthenticatedAfterKey,
  namedOperationsUnauthenticated,
] as const;
const REST = [invalidCredentials, invalidCredentialsAgain] as const;
const EVERY_CALLER = [...WITHOUT_KEY, ...REST] as const;
type UnauthenticatedStep = StepOf<(typeof EVERY_CALLER)[number] | typeof secondWindow>;
const { creationWithoutKey, creationWithUnknownKey, invalidCreationWithoutKey, anotherCase } =
  invalidCredentials.steps;
const OPEN_ACCESS =
  'Every operation requires a valid key; without that check anyone can read and create data.';
const CHECK_FIRST =
  'Check the key before the handler of every operation runs, and answer 401 where it is missing or unknown.';

/** Judges that the chosen requests without a valid key are answered 401. */
function unauthorized(id: JudgedId, what: string, chosen: (exchange: Exchange) => boolean): Requirement {
  return {
    id,
    probes: EVERY_CALLER,
    whyItMatters: OPEN_ACCESS,
    fix: CHECK_FIRST,
    judge: (evidence) =>
      judgeEach(
        [
          ...lastResponses(evidence, ...EVERY_CALLER),
          ...evidence.step(secondWindow, secondWindow.steps.similarKey).filter(isNotLimited),
        ].filter((exchange) => isDocumentedOperation(exchange) && chosen(exchange)),
        (exchange) => expectStatus(exchange, 401, `${what} ("${exchange.step}")`),
        {
          good: `${capitalized(what)} was always answered 401`,
          none: evidence.whyNothing(...EVERY_CALLER),
          every: true,
        },
      ),
  };
}

/** The exchanges of these probes, without each 429 to a request that was sent again. */
function lastResponses(evidence: Evidence, ...among: readonly Probe[]): readonly Exchange[] {
  const last = new Map(evidence.of(invalidCredentialsAgain).map((exchange) => [exchange.step, exchange]));
  const sentAgain = (exchange: Exchange): boolean => {
    const again = REST.some(({ id }) => id === exchange.probe) ? last.get(exchange.step) : undefined;
    return again !== undefined && again !== exchange;
  };
  return evidence.of(...among).filter((exchange) => !sentAgain(exchange));
}

/** A service may limit unauthorized requests, and the second window sends each of them several times. */
const isNotLimited = (exchange: Exchange): boolean => !isRateLimited(exchange);

const isStep =
  (...names: readonly UnauthenticatedStep[]) =>
  (exchange: Exchange): boolean =>
    (names as readonly string[]).includes(exchange.step);

/** Chapter "Authentication". */
export const authentication: readonly Requirement[] = [
  unauthorized(
    'AUTH-1',
    'a list request or a creation without Authorization',
    isStep(
      unauthenticatedBeforeKey.steps.withoutKey,
      unauthenticatedAfterKey.steps.withoutKey,
      creationWithoutKey,
    ),
  ),
  unauthorized(
    'AUTH-2',
    'a request with an unknown key',
    isStep(unauthenticatedAfterKey.steps.unknownKey, creationWithUnknownKey),
  ),
  unauthorized(
    'AUTH-3',
    'a key close to the valid one',
    isStep(...NEAR_MISSES, secondWindow.steps.similarKey),
  ),
  unauthorized('AUTH-4', 'a key anywhere other than Authorization: Bearer', isStep(...MISPLACED_KEYS)),
  {
    id: 'AUTH-5',
    probes: EVERY_CALLER,
    whyItMatters: OPEN_ACCESS,
    fix: CHECK_FIRST,
    judge(evidence) {
      const sent = lastResponses(evidence, ...EVERY_CALLER).filter(
        (exchange) => !isDocumentedOperation(exchange),
      );
      const present = sent.filter((exchange) => statusOf(exchange) !== 404);
      if (sent.length > 0 && present.length === 0) {
        return notTested(
          `The target answers 404 to ${NAMED_OPERATIONS.join(' and ')}: the operations are absent.`,
          sent,
        );
      }
      return judgeEach(present, openAccess, {
        good: 'The named operations never answered 2xx without a valid key',
        none: evidence.whyNothing(...EVERY_CALLER),
      });
    },
  },
  {
    id: 'AUTH-6',
    probes: REST,
    whyItMatters: 'A service that validates first reveals its rules to unauthenticated clients.',
    fix: 'Authenticate before the body is read and validated.',
    judge: (evidence) =>
      judgeEach(
        lastResponses(evidence, ...REST).filter(isStep(invalidCreationWithoutKey)),
        (exchange) => expectStatus(exchange, 401, 'an invalid creation without a key'),
        { good: 'An invalid creation without a key was answered 401', none: evidence.whyNothing(...REST) },
      ),
  },
];

function openAccess(exchange: Exchange): Problem | undefined {
  const status = statusOf(exchange);
  if (status === undefined) return unclear(`The probe received ${receivedText(exchange)}.`);
  if (status < 200 || status > 299) return undefined;
  return violation({
    expected: `no success without a valid key ("${exchange.step}")`,
    received: receivedText(exchange),
  });
}

/** What the specification leaves open about credentials. */
export const openAuthentication: readonly Observable[] = [
  {
    id: 'AUTH-7',
    probes: [presentations, invalidCredentials, repeatedAuthorization],
    observe(evidence) {
      const exchanges = [
        ...evidence.of(presentations, repeatedAuthorization),
        ...evidence.step(invalidCredentials, anotherCase),
      ];
      if (exchanges.length === 0) return { value: evidence.whyNothing(presentations) };
      return {
        value: exchanges.map((exchange) => `${exchange.step}: ${responseText(exchange)}`).join('; '),
        exchanges,
      };
    },
  },
];
