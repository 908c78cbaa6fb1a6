import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import type { RequirementId } from '../../../../spec/register.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Framework } from './frameworks.ts';

/** A judgement against the target, and the exchanges that show it: at least one. */
export interface AdverseFinding {
  readonly id: RequirementId;
  readonly exchanges: readonly [Exchange, ...Exchange[]];
}

/** A cause as one finding shows it. Findings with the same title share it. */
export interface Symptom<CauseId> {
  readonly cause: CauseId;
  readonly title: string;
}

/** Recognises causes in a finding; undefined where none of them is the cause. Pure. */
export type Rule<CauseId> = (adverse: AdverseFinding, evidence: Evidence) => Symptom<CauseId> | undefined;

export const symptom = <CauseId extends string>(cause: CauseId, title: string): Symptom<CauseId> => ({
  cause,
  title,
});

export function commonStatus(exchanges: readonly Exchange[]): number | undefined {
  const [status, ...others] = new Set(exchanges.map(statusOf));
  return others.length === 0 ? status : undefined;
}

/** How to fix a cause: one or two sentences with Markdown code spans, true of the framework as shipped. */
export interface Fix {
  readonly text: string;
  /** Whether an app with the fault fails and the same app with this fix passes (`evaluation/third-party/fixes.ts`). */
  readonly proven: boolean;
}

/** A cause, and its fixes in any framework and in certain ones: a plain text where a pair of apps shows it. */
export type KnownCause = {
  /** The requirements that it violates by itself; what else it violates follows from that. */
  readonly violates: readonly RequirementId[];
  /** When the fixes apply, as a clause that begins with "where". */
  readonly where: string;
  /** How a finding of what it violates shows it; absent where a rule of its own tells it from other causes. */
  readonly shows?: {
    readonly title: string;
    readonly when: (exchanges: AdverseFinding['exchanges']) => boolean;
  };
  readonly inGeneral: Fix | string;
} & Readonly<Partial<Record<Framework, Fix | string>>>;

export const asFix = (fix: Fix | string): Fix =>
  typeof fix === 'string' ? { text: fix, proven: true } : fix;

/** A fix that no pair of apps shows. */
export const untested = (text: string): Fix => ({ text, proven: false });

export const ERROR = '`{ code, message, status }`';
