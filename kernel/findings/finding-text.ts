import type { Static, StaticFields } from '../basics/shape.ts';
import { about, date, exactly, maybe, object, someText, textUpTo } from '../basics/shape.ts';
import { capitalized } from '../basics/text.ts';

export const checked = {
  verdict: exactly('pass'),
  checked: about('Exactly what was checked, in whole sentences.', someText),
  untested: about(
    'What of the requirement was not tested, and what would test it; absent where nothing is known to be missing.',
    maybe(someText),
  ),
};
/** The evidence agrees with the requirement. */
export type Checked = StaticFields<typeof checked>;

export const acceptanceFields = {
  reason: about('Why it is accepted for now.', textUpTo(1000)),
  owner: about('Who answers for it: a person or a team.', textUpTo(200)),
  expires: about('The last day on which it is accepted, in UTC, as in 2027-01-31.', date),
};
const acceptance = object('The entry of the baseline that accepts this violation for now.', acceptanceFields);
type Acceptance = Static<typeof acceptance>;

const fact = {
  expected: about('A value or a rule, as a noun phrase: it completes "Expected …".', someText),
  received: about('The value and its exchange, as a noun phrase: it completes "but received …".', someText),
  reasoning: about(
    'What follows from the two, and how it was established; absent where they speak for themselves.',
    maybe(someText),
  ),
};
/** What was expected and what was received, the fact that a finding states first. */
export type Fact = StaticFields<typeof fact>;

export const contradiction = {
  verdict: exactly('fail', 'warn'),
  ...fact,
  whyItMatters: about('Why it matters to those who rely on the service: one sentence.', someText),
  known: maybe(acceptance),
};
/** The evidence contradicts the requirement, or one reading of it. */
export type Contradiction = StaticFields<typeof contradiction>;

export const undecided = {
  verdict: exactly('inconclusive', 'not-tested'),
  reason: about('Why there is no verdict, or what is needed to test this: whole sentences.', someText),
};
/** The evidence decides nothing, or there is none. */
export type Undecided = StaticFields<typeof undecided>;

/** What a verdict rests on, in words for a person: the fields depend on the verdict. */
export type Reasoned = Checked | Contradiction | Undecided;

/** A part of a finding; none where it says nothing. */
const part = <const Label extends string>(label: Label, text: string | undefined) =>
  text === undefined ? [] : [{ label, text }];

/** The parts of a finding in their order, each a text that can stand alone. How to fix it is not among them: several findings may share one fix. */
export function partsOf(found: Reasoned) {
  switch (found.verdict) {
    case 'pass':
      return [...part('Checked', found.checked), ...part('Not tested', found.untested)];
    case 'fail':
    case 'warn':
      return [
        ...part('Expected', sentence(found.expected)),
        ...part('Received', sentence(found.received)),
        ...part('Reasoning', found.reasoning),
        ...part('Why it matters', found.whyItMatters),
        ...part('Known violation', found.known && acceptanceText(found.known)),
      ];
    case 'inconclusive':
    case 'not-tested':
      return part('Reason', found.reason);
  }
}

export type FindingPart = ReturnType<typeof partsOf>[number];

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

const sentence = (phrase: string): string => `${capitalized(phrase)}.`;

/** The most header lines of a message that an excerpt of an exchange holds; the journal has the rest. */
export const MOST_HEADERS = 60;
