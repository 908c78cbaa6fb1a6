import { capitalized } from '../basics/text.ts';

/** What a verdict rests on, in words for a person: the fields depend on the verdict. */
export type Reasoned = Checked | Contradiction | Undecided;

/** The evidence agrees with the requirement. */
export interface Checked {
  readonly verdict: 'pass';
  /** Exactly what was checked, in whole sentences. */
  readonly checked: string;
  /** What of the requirement was not tested, and what would test it, in whole sentences; absent where nothing is known to be missing. */
  readonly untested?: string;
}

/** The evidence contradicts the requirement, or one reading of it. */
export interface Contradiction extends Fact {
  readonly verdict: 'fail' | 'warn';
  /** Why this matters to those who rely on the service: one sentence. */
  readonly whyItMatters: string;
  /** The entry of the baseline that accepts this violation for now; absent where there is none, or where it expired. */
  readonly known?: Acceptance;
}

/** Why a violation is accepted, by whom, and until when. */
export interface Acceptance {
  readonly reason: string;
  /** A person or a team. */
  readonly owner: string;
  /** The last day, as `2027-01-31`, in UTC. */
  readonly expires: string;
}

/** The evidence decides nothing, or there is none. */
export interface Undecided {
  readonly verdict: 'inconclusive' | 'not-tested';
  /** Why there is no verdict, or what is needed to test this: whole sentences. */
  readonly reason: string;
}

/** What was expected and what was received, the fact that a finding states first. */
export interface Fact {
  /** A value or a rule, as a noun phrase: it completes "Expected …". */
  readonly expected: string;
  /** The value and its exchange, as a noun phrase: it completes "but received …". */
  readonly received: string;
  /** What follows from the two and how it was established, in whole sentences; absent where the fact speaks for itself. */
  readonly reasoning?: string;
}

/** One part of a finding as a report shows it. */
export interface FindingPart {
  readonly label:
    | 'Expected'
    | 'Received'
    | 'Reasoning'
    | 'Why it matters'
    | 'Checked'
    | 'Not tested'
    | 'Reason'
    | 'Known violation';
  readonly text: string;
}

/** The parts of a finding in their order, each a text that can stand alone. How to fix it is not among them: several findings may share one fix. */
export function partsOf(found: Reasoned): readonly FindingPart[] {
  switch (found.verdict) {
    case 'pass':
      return [
        { label: 'Checked', text: found.checked },
        ...(found.untested === undefined ? [] : [{ label: 'Not tested', text: found.untested } as const]),
      ];
    case 'fail':
    case 'warn':
      return [
        { label: 'Expected', text: sentence(found.expected) },
        { label: 'Received', text: sentence(found.received) },
        ...(found.reasoning === undefined ? [] : [{ label: 'Reasoning', text: found.reasoning } as const]),
        { label: 'Why it matters', text: found.whyItMatters },
        ...(found.known === undefined
          ? []
          : [{ label: 'Known violation', text: acceptanceText(found.known) } as const]),
      ];
    case 'inconclusive':
    case 'not-tested':
      return [{ label: 'Reason', text: found.reason }];
  }
}

/** Why a known violation is accepted, by whom and until when. */
export const acceptanceText = ({ reason, owner, expires }: Acceptance): string =>
  `accepted until ${expires} by ${owner}: ${reason}`;

/** A finding as running text: the one place where `because` comes from. */
export function becauseOf(found: Reasoned): string {
  switch (found.verdict) {
    case 'pass':
      return found.untested === undefined ? found.checked : `${found.checked} ${found.untested}`;
    case 'fail':
    case 'warn':
      return `${factText(found)} ${found.whyItMatters}`;
    case 'inconclusive':
    case 'not-tested':
      return found.reason;
  }
}

/** The fact as running text: expected, received and what follows. */
export function factText({ expected, received, reasoning }: Fact): string {
  const fact = `Expected ${expected}, but received ${received}.`;
  return reasoning === undefined ? fact : `${fact} ${reasoning}`;
}

/** A phrase as a sentence: a capital letter and a full stop. */
const sentence = (phrase: string): string => `${capitalized(phrase)}.`;
