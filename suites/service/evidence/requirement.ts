import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import type { register } from '../../../spec/register.ts';
import type { Probe } from '../probes/probe.ts';
import type { Evidence } from './evidence.ts';

type RegisterEntry = (typeof register)[number];

export type JudgedId = Exclude<Extract<RegisterEntry, { judged: 'by certify' }>['id'], ObservedId>;
/** The ids that are only observed. */
export type ObservedId = Extract<RegisterEntry, { level: 'OBSERVE'; judged: 'by certify' }>['id'];

/**
 * One requirement: the probes whose exchanges show it, why it matters, how to
 * fix a violation, and the one judge of it. The judge is pure: no clock, no
 * network, no environment, and it never throws on anything a target can send.
 */
export interface Requirement {
  readonly id: JudgedId;
  readonly probes: readonly Probe[];
  /** Why a violation matters to those who rely on the service: one sentence. */
  readonly whyItMatters: string;
  /** How to fix a violation in any framework: one or two sentences. What is known of the cause replaces it. */
  readonly fix: string;
  judge(evidence: Evidence): Judgement;
}

/** Something that the specification leaves open: recorded, never part of the outcome. */
export interface Observable {
  readonly id: ObservedId;
  readonly probes: readonly Probe[];
  observe(evidence: Evidence): Observed;
}

/** What was observed. `warning` is about a value that is malformed by its own standard. */
export interface Observed {
  readonly value: string;
  readonly exchanges?: readonly Exchange[];
  readonly warning?: string;
}
