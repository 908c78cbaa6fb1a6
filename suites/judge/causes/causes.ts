import { completeText } from '../../../exchanges/body.ts';
import { groupedBy } from '../../../exchanges/collections.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { answerOf } from '../../../exchanges/headers.ts';
import type { RequirementId } from '../../../spec/register.ts';
import { quoted } from '../../../words/text.ts';
import type { Cause } from '../../model/record.ts';
import { isPage } from '../../model/target-reading.ts';
import { unreadBody } from '../unread-body.ts';
import { fixFor } from './fixes.ts';
import type { Recognised } from './frameworks.ts';
import { frameworkOf } from './frameworks.ts';
import type { AdverseFinding, CauseId, Symptom } from './rules.ts';
import { rules } from './rules.ts';

/** What explains the findings against a target, and how to fix those that stand alone. */
export interface Explanation {
  readonly causes: readonly Cause[];
  /** By requirement; only findings that belong to no cause. */
  readonly fixes: ReadonlyMap<RequirementId, string>;
}

/** A finding, and what it has in common with others. */
interface Symptomatic {
  readonly adverse: AdverseFinding;
  readonly symptom: Symptom;
}

type Group = readonly [Symptomatic, ...Symptomatic[]];

/**
 * Groups findings by their common cause. Pure over the findings and their
 * exchanges; it changes no verdict.
 * @param adverse the judgements against the target, in the order of the register.
 * @param all every exchange of the run, for signs of the framework.
 */
export function explain(adverse: readonly AdverseFinding[], all: readonly Exchange[]): Explanation {
  if (adverse.length === 0) return { causes: [], fixes: new Map() };
  const run = frameworkOfRun(all);
  const groups = groupsOf(adverse);
  const grouped = new Set(groups.flat().map((one) => one.adverse));
  const fixes = new Map<RequirementId, string>();
  for (const one of adverse) {
    if (!grouped.has(one)) fixes.set(one.id, fixAlone(one, run, all));
  }
  return { causes: groups.map((group) => causeOf(group, run, all)), fixes };
}

/** The groups of two findings or more, by the rules in their order. */
function groupsOf(adverse: readonly AdverseFinding[]): readonly Group[] {
  const groups: Group[] = [];
  let ungrouped = adverse;
  for (const rule of rules) {
    const shown = ungrouped.flatMap((one) => {
      const symptom = rule(one);
      return symptom === undefined ? [] : [{ adverse: one, symptom }];
    });
    const byTitle = groupedBy(shown, ({ symptom }) => symptom.title);
    const found = [...byTitle.values()].filter((group) => group.length > 1);
    groups.push(...found);
    const taken = new Set(found.flat().map((one) => one.adverse));
    ungrouped = ungrouped.filter((one) => !taken.has(one));
  }
  return groups;
}

function causeOf(group: Group, run: Recognised | undefined, all: readonly Exchange[]): Cause {
  const [{ adverse, symptom }] = group;
  return {
    id: symptom.cause,
    title: symptom.title,
    requirements: group.map((one) => one.adverse.id),
    fix: fixOf(symptom.cause, adverse, run, all),
  };
}

function fixAlone(adverse: AdverseFinding, run: Recognised | undefined, all: readonly Exchange[]): string {
  const symptom = rules.map((rule) => rule(adverse)).find((one) => one !== undefined);
  return symptom === undefined
    ? joined(adverse.fix, unreadBody(adverse.exchanges[0], all))
    : fixOf(symptom.cause, adverse, run, all);
}

/** How to fix a cause: the likeliest origin first, then another one that the exchange may have. */
function fixOf(
  cause: CauseId,
  { exchanges: [first] }: AdverseFinding,
  run: Recognised | undefined,
  all: readonly Exchange[],
): string {
  const answer = answerOf(first);
  const own = frameworkOf(first);
  const page = cause === 'html-error' && answer !== undefined && isPage(answer);
  return joined(
    page
      ? `The body begins with ${opening(completeText(answer) ?? '')}: the default error page of your framework.`
      : undefined,
    fixFor(cause, own ?? run),
    // A page that a framework is known to write has nothing to do with the rest of an earlier body.
    own?.sure === true ? undefined : unreadBody(first, all),
  );
}

const joined = (...sentences: readonly (string | undefined)[]): string =>
  sentences.filter((one) => one !== undefined).join(' ');

/** The first tag of a page, with every character visible. */
function opening(text: string): string {
  const start = text.slice(0, 40).trim();
  const end = start.indexOf('>');
  return quoted(end === -1 ? start : start.slice(0, end + 1));
}

/** The most responses that are searched for signs of a framework: they show early, and journals may be long. */
const MOST_SEARCHED = 200;

/** The framework that one of the first responses identifies for sure. */
function frameworkOfRun(all: readonly Exchange[]): Recognised | undefined {
  return all
    .slice(0, MOST_SEARCHED)
    .map(frameworkOf)
    .find((found) => found?.sure === true);
}
