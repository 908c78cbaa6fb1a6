import type { Exchange } from '../../exchanges/exchange.ts';
import { exchangeName, outcomeText } from '../../exchanges/exchange-text.ts';
import { statusOf } from '../../exchanges/headers.ts';
import { isDocumentedOperation } from '../../exchanges/operation.ts';
import { expectStatus } from '../evidence/answers.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Problem } from '../evidence/judgement.ts';
import { judgeEach, notTested, unclear, violation } from '../evidence/judgement.ts';
import type { JudgedId, Observable, Requirement } from '../evidence/requirement.ts';
import { presentations, repeatedAuthorization } from '../probes/open-questions.ts';
import type { Probe } from '../probes/probe.ts';
import {
  ANOTHER_CASE,
  invalidCredentialsAgain,
  MISPLACED,
  NAMED_OPERATIONS,
  NEAR_MISSES,
  namedOperationsUnauthenticated,
  unauthenticated,
  unauthenticatedAfterKey,
  unauthenticatedBeforeKey,
} from '../probes/unauthenticated.ts';

const WITHOUT_KEY = [
  unauthenticatedBeforeKey,
  unauthenticatedAfterKey,
  namedOperationsUnauthenticated,
] as const;
const REST = [unauthenticated, invalidCredentialsAgain] as const;
const EVERYBODY = [...WITHOUT_KEY, ...REST] as const;
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
const steps =
  (...names: readonly string[]) =>
  (exchange: Exchange): boolean =>
    names.includes(exchange.step);

/** Chapter "Authentication". */
export const authentication: readonly Requirement[] = [
  unauthorized(
    'AUTH-1',
    'a request for the list or a creation without Authorization',
    (exchange) => exchange.step.startsWith('without a key') || exchange.step === 'creation without a key',
  ),
  unauthorized('AUTH-2', 'an unknown key', steps('unknown key', 'creation with an unknown key')),
  unauthorized('AUTH-3', 'a near miss of the key', steps(...NEAR_MISSES)),
  unauthorized('AUTH-4', 'the key in another place than Authorization: Bearer', steps(...MISPLACED)),
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
        lastAnswers(evidence, ...REST).filter(steps('invalid creation without a key')),
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
    probes: [presentations, unauthenticated, repeatedAuthorization],
    observe(evidence) {
      const exchanges = [
        ...evidence.of(presentations, repeatedAuthorization),
        ...evidence.step(unauthenticated, ANOTHER_CASE),
      ];
      if (exchanges.length === 0) return { value: evidence.whyNothing(presentations) };
      return {
        value: exchanges.map((exchange) => `${exchange.step}: ${outcomeText(exchange)}`).join('; '),
        exchanges,
      };
    },
  },
];
