import { wholeText } from '../../../exchanges/body.ts';
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
import type { Accusation, CauseId, Symptom } from './rules.ts';
import { rules } from './rules.ts';

/** What explains the findings against a target, and how to fix those that stand alone. */
export interface Explanation {
  readonly causes: readonly Cause[];
  /** By requirement; only findings that belong to no cause. */
  readonly fixes: ReadonlyMap<RequirementId, string>;
}

interface Group {
  readonly symptom: Symptom;
  readonly members: readonly Accusation[];
}

/**
 * Groups findings by their common cause. Pure over the findings and their
 * exchanges; it changes no verdict.
 * @param accusations in the order of the register.
 * @param all every exchange of the run, for signs of the framework.
 */
export function explain(accusations: readonly Accusation[], all: readonly Exchange[]): Explanation {
  if (accusations.length === 0) return { causes: [], fixes: new Map() };
  const run = frameworkOfRun(all);
  const groups = groupsOf(accusations);
  const grouped = new Set(groups.flatMap(({ members }) => members));
  const fixes = new Map<RequirementId, string>();
  for (const accusation of accusations) {
    const fix = grouped.has(accusation) ? undefined : fixAlone(accusation, run, all);
    if (fix !== undefined) fixes.set(accusation.id, fix);
  }
  return { causes: groups.map((group) => causeOf(group, run, all)), fixes };
}

/** The groups of two findings or more, by the rules in their order. */
function groupsOf(accusations: readonly Accusation[]): readonly Group[] {
  const groups: Group[] = [];
  let left = accusations;
  for (const rule of rules) {
    const byTitle = new Map<string, { symptom: Symptom; members: Accusation[] }>();
    for (const accusation of left) {
      const symptom = rule(accusation);
      if (symptom === undefined) continue;
      const group = byTitle.get(symptom.title);
      if (group === undefined) byTitle.set(symptom.title, { symptom, members: [accusation] });
      else group.members.push(accusation);
    }
    const found = [...byTitle.values()].filter(({ members }) => members.length > 1);
    groups.push(...found);
    const taken = new Set(found.flatMap(({ members }) => members));
    left = left.filter((one) => !taken.has(one));
  }
  return groups;
}

function causeOf({ symptom, members }: Group, run: Recognised | undefined, all: readonly Exchange[]): Cause {
  const fix = members[0] === undefined ? undefined : fixOf(symptom.cause, members[0], run, all);
  return {
    id: symptom.cause,
    title: symptom.title,
    requirements: members.map(({ id }) => id),
    ...(fix === undefined ? {} : { fix }),
  };
}

function fixAlone(
  accusation: Accusation,
  run: Recognised | undefined,
  all: readonly Exchange[],
): string | undefined {
  const symptom = rules.map((rule) => rule(accusation)).find((one) => one !== undefined);
  return symptom === undefined
    ? unreadBody(accusation.exchanges[0], all)
    : fixOf(symptom.cause, accusation, run, all);
}

/** What to say of a cause: the likeliest first, then what else the exchange may come from. */
function fixOf(
  cause: CauseId,
  { exchanges: [first] }: Accusation,
  run: Recognised | undefined,
  all: readonly Exchange[],
): string | undefined {
  const answer = answerOf(first);
  const recognised = frameworkOf(first) ?? run;
  const page = cause === 'html-error' && answer !== undefined && isPage(answer);
  const parts = [
    page
      ? `The body begins with ${opening(wholeText(answer) ?? '')}: your framework's default error page.`
      : '',
    fixFor(cause, recognised) ?? '',
    // A page that a framework is known to write is no answer to the rest of an earlier body.
    frameworkOf(first)?.sure === true ? '' : (unreadBody(first, all) ?? ''),
  ];
  const text = parts.filter((part) => part !== '').join(' ');
  return text === '' ? undefined : text;
}

/** The first tag of a page, in plain sight. */
function opening(text: string): string {
  const start = text.slice(0, 40).trim();
  const end = start.indexOf('>');
  return quoted(end === -1 ? start : start.slice(0, end + 1));
}

/** The most responses that are searched for a sign: every framework shows itself early, and journals may be long. */
const MOST_SEARCHED = 200;

/** The framework that any of the first responses shows for sure. */
function frameworkOfRun(all: readonly Exchange[]): Recognised | undefined {
  for (const exchange of all.slice(0, MOST_SEARCHED)) {
    const found = frameworkOf(exchange);
    if (found?.sure === true) return found;
  }
  return undefined;
}
