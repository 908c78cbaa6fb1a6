import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import type { register } from '../../../spec/register.ts';
import type { Scenario } from '../model/scenario.ts';
import type { ClientEvidence } from './evidence.ts';

type ClientEntry = Extract<(typeof register)[number], { judged: 'by certify-client' }>;

export type JudgedClientId = Exclude<ClientEntry, { level: 'OBSERVE' }>['id'];
/** The ids that are only observed in a client. */
export type ObservedClientId = Extract<ClientEntry, { level: 'OBSERVE' }>['id'];

/** One requirement on clients. The judge is pure, and never throws on anything that a client can send. */
export interface ClientRequirement {
  readonly id: JudgedClientId;
  /** The scenarios without which there is no verdict. */
  readonly needs: readonly Scenario[];
  /** Why a client that was attached by hand is not judged by it, as a sentence; absent where it is. */
  readonly notWhenAttached?: string;
  /** Why a violation matters: one sentence. */
  readonly whyItMatters: string;
  /** How to fix a violation in any library: one or two sentences. */
  readonly fix: string;
  /** Where a violation is fixed: `library` where the options of an HTTP library decide it, so that those of the one at hand are named. */
  readonly fixedIn: 'library' | 'program';
  judge(evidence: ClientEvidence): Judgement;
}

/** Good practice of clients that no sentence of the specification requires: recorded, with advice, never judged. */
export interface ClientObservable {
  readonly id: ObservedClientId;
  readonly needs: readonly Scenario[];
  observe(evidence: ClientEvidence): ClientObservation;
}

/** What was observed, and what to do about it where good practice suggests something else. */
export interface ClientObservation {
  readonly value: string;
  readonly exchanges?: readonly Exchange[];
  readonly advice?: string;
}
