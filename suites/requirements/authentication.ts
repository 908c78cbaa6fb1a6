import type { Exchange } from '../../exchanges/exchange.ts';
import { exchangeName, outcomeText } from '../../exchanges/exchange-text.ts';
import { statusOf } from '../../exchanges/headers.ts';
import { isDocumentedOperation } from '../../exchanges/operation.ts';
import { expectStatus } from '../evidence/answers.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Problem } from '../evidence/judgement.ts';
import { judgeEach, notTested, unclear, violation } from '../evidence/judgement.ts';
import type { JudgedId, Observable, Requirement } from '../evidence/requirement.ts';
import { presentations, repeatedAuthorization } from '../probes/open-behavior.ts';
import type { Probe, StepOf } from '../probes/probe.ts';
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
const EVERYBODY = [...WITHOUT_KEY, ...REST] as const;
type UnauthenticatedStep = StepOf<(typeof EVERYBODY)[number]>;
const { creationWithoutKey, creationWithUnknownKey, invalidCreationWithoutKey, anotherCase } =
  invalidCredentials.steps;
const OPEN_DOOR = 'Whoever has no valid key must not get in: every operation requires one.';

/** Judges that the chosen requests of strangers are answered 401. */
function unauthorized(id: JudgedId, what: string, chosen: (exchange: Exchange) => boolean): Requirement {
  return {
    id,
    probes: EVERYBODY,
    whyItMatters: OPEN_DOOR,
    judge: (evidence) =>
      judgeEach(
        lastAnswers(evidence, ...EVERYBODY).filter(
          (exchange) => isDocumentedOperation(exchange) && chosen(exchange),
        ),
        (exchange) => expectStatus(exchange, 401, `${what} ("${exchange.step}")`),
        { good: `${capital(what)} answered 401`, none: evidence.whyNothing(...EVERYBODY), every: true },
      ),
  };
}

/** The exchanges of these probes, less each 429 to a question that was asked again. */
function lastAnswers(evidence: Evidence, ...asked: readonly Probe[]): readonly Exchange[] {
  const last = new Map(evidence.of(invalidCredentialsAgain).map((exchange) => [exchange.step, exchange]));
  const askedAgain = (exchange: Exchange): boolean => {
    const again = REST.some(({ id }) => id === exchange.probe) ? last.get(exchange.step) : undefined;
    return again !== undefined && again !== exchange;
  };
  return evidence.of(...asked).filter((exchange) => !askedAgain(exchange));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const isStep =
  (...names: readonly UnauthenticatedStep[]) =>
  (exchange: Exchange): boolean =>
    (names as readonly string[]).includes(exchange.step);

/** Chapter "Authentication". */
export const authentication: readonly Requirement[] = [
  unauthorized(
    'AUTH-1',
    'a request for the list or a creation without Authorization',
    isStep(
      unauthenticatedBeforeKey.steps.withoutKey,
      unauthenticatedAfterKey.steps.withoutKey,
      creationWithoutKey,
    ),
  ),
  unauthorized(
    'AUTH-2',
    'an unknown key',
    isStep(unauthenticatedAfterKey.steps.unknownKey, creationWithUnknownKey),
  ),
  unauthorized('AUTH-3', 'a near miss of the key', isStep(...NEAR_MISSES)),
  unauthorized('AUTH-4', 'the key in another place than Authorization: Bearer', isStep(...MISPLACED_KEYS)),
  {
    id: 'AUTH-5',
    probes: EVERYBODY,
    whyItMatters: OPEN_DOOR,
    judge(evidence) {
      const asked = lastAnswers(evidence, ...EVERYBODY).filter(
        (exchange) => !isDocumentedOperation(exchange),
      );
      const present = asked.filter((exchange) => statusOf(exchange) !== 404);
      if (asked.length > 0 && present.length === 0) {
        return notTested(
          `The target answers 404 to ${NAMED_OPERATIONS.join(' and ')}: the operations are absent.`,
          asked,
        );
      }
      return judgeEach(present, openDoor, {
        good: 'The named operations never answered 2xx without a valid key',
        none: evidence.whyNothing(...EVERYBODY),
      });
    },
  },
  {
    id: 'AUTH-6',
    probes: REST,
    whyItMatters: 'A service that validates first tells strangers about its rules.',
    judge: (evidence) =>
      judgeEach(
        lastAnswers(evidence, ...REST).filter(isStep(invalidCreationWithoutKey)),
        (exchange) => expectStatus(exchange, 401, 'an invalid creation without a key'),
        { good: 'An invalid creation without a key answered 401', none: evidence.whyNothing(...REST) },
      ),
  },
];

function openDoor(exchange: Exchange): Problem | undefined {
  const status = statusOf(exchange);
  if (status === undefined) return unclear(`${exchangeName(exchange)} ${outcomeText(exchange)}.`);
  if (status < 200 || status > 299) return undefined;
  return violation(
    `Expected no success without a valid key, but ${exchangeName(exchange)} answered ${status} (${exchange.step}).`,
  );
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
        value: exchanges.map((exchange) => `${exchange.step}: ${outcomeText(exchange)}`).join('; '),
        exchanges,
      };
    },
  },
];
