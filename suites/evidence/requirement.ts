import type { Exchange } from '../../exchanges/exchange.ts';
import type { register } from '../../spec/register.ts';
import type { Probe } from '../probes/probe.ts';
import type { Evidence } from './evidence.ts';
import type { Judgement } from './judgement.ts';

type Row = (typeof register)[number];

/** The ids that are judged, and those that are only observed. */
export type JudgedId = Exclude<Extract<Row, { judged: 'by certify' }>['id'], ObservedId>;
export type ObservedId = Extract<Row, { level: 'OBSERVE' }>['id'];

/**
 * One requirement: the probes whose exchanges show it, the sentence that says
 * why it matters, and the one judge of it. The judge is pure: no clock, no
 * network, no environment, and it never throws on anything a target can send.
 */
export interface Requirement {
  readonly id: JudgedId;
  readonly probes: readonly Probe[];
  /** Why a violation matters to those who rely on the service; it ends every finding. */
  readonly whyItMatters: string;
  judge(evidence: Evidence): Judgement;
}

/** Something that the specification leaves open: recorded, never judged. */
export interface Observable {
  readonly id: ObservedId;
  readonly probes: readonly Probe[];
  observe(evidence: Evidence): Observed;
}

/** What was seen. `warning` tells of a value that is malformed by its own standard. */
export interface Observed {
  readonly value: string;
  readonly exchanges?: readonly Exchange[];
  readonly warning?: string;
}
