import { firstFound, groupedBy } from '../../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import type { Cause } from '../../../../kernel/findings/record.ts';
import type { RequirementId } from '../../../../spec/register.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { authentication, withoutValidKey } from './authentication.ts';
import { adoptedId, categoryFields, createdStatus, creations, invalidBody } from './creations.ts';
import type { Recognised } from './frameworks.ts';
import { frameworkOf } from './frameworks.ts';
import { dateZone, errorBody, messages, slashRedirect } from './messages.ts';
import { rateHeaders, rateLimits } from './rate-limits.ts';
import type { AdverseFinding, Fix, KnownCause, Rule, Symptom } from './rule.ts';
import { asFix, symptom } from './rule.ts';

const causes = { ...creations, ...authentication, ...rateLimits, ...messages };

/** What several findings may have in common, or what shows how to fix a single one. */
export type CauseId = keyof typeof causes;

/** What each cause violates, and how to fix it. A fix is true of the framework as shipped, and never changes a verdict. */
export const CAUSES: Readonly<Record<CauseId, KnownCause>> = causes;

/** Every rule, in the order in which they are tried: a finding belongs to the first cause that it shares with another one. */
const rules: readonly Rule<CauseId>[] = [
  slashRedirect,
  ...ruleOf('framing', 'content-coding'),
  invalidBody,
  createdStatus,
  adoptedId,
  categoryFields,
  ...ruleOf('list-envelope'),
  rateHeaders,
  errorBody,
  withoutValidKey,
  ...ruleOf('limited-headers', 'limited-body'),
  dateZone,
];

/** The rules of causes that state by themselves what shows them. */
function ruleOf(...ids: readonly CauseId[]): readonly Rule<CauseId>[] {
  return ids.map((cause) => ({ id, exchanges }) => {
    const { violates, shows } = CAUSES[cause];
    return violates.includes(id) && shows?.when(exchanges) === true ? symptom(cause, shows.title) : undefined;
  });
}

export type FrameworkFix = ReturnType<typeof frameworkFixesOf>[number];

/** What may help where this requirement is violated: in any framework first, then each framework once. */
export function frameworkFixesOf(requirement: RequirementId) {
  const byFramework = new Map<string, (Fix & Pick<KnownCause, 'where'>)[]>();
  for (const { violates, where, shows: _, ...fixes } of Object.values(CAUSES)) {
    if (!violates.includes(requirement)) continue;
    for (const [name, fix] of Object.entries(fixes))
      byFramework.set(name, [...(byFramework.get(name) ?? []), { ...asFix(fix), where }]);
  }
  return [...byFramework].map(([name, fixes]) => ({
    /** Undefined where the fixes are those of any framework. */
    framework: name === 'inGeneral' ? undefined : name,
    fixes,
  }));
}

/** How to fix a cause: in the framework that was recognised, else in general. */
export function fixFor(cause: CauseId, recognised: Recognised | undefined): Fix {
  const known = CAUSES[cause];
  const own = recognised === undefined ? undefined : known[recognised.framework];
  if (own === undefined) return asFix(known.inGeneral);
  const { text, proven } = asFix(own);
  return { text: `Your server looks like ${recognised?.framework}: ${text}`, proven };
}

interface Symptomatic {
  readonly adverse: AdverseFinding;
  readonly symptom: Symptom<CauseId>;
}

type Group = readonly [Symptomatic, ...Symptomatic[]];

/** The common causes of findings, and the fixes of those that stand alone and show a known cause. @param adverse the judgements against the target, in the order of the register. */
export function explain(adverse: readonly AdverseFinding[], evidence: Evidence) {
  const framework = frameworkOfRun(evidence.exchanges);
  const groups = groupsOf(adverse, evidence);
  const grouped = new Set(groups.flat().map((one) => one.adverse));
  const fixes = new Map<RequirementId, Fix>();
  for (const one of adverse) {
    const symptom = grouped.has(one) ? undefined : symptomOf(one, evidence);
    if (symptom !== undefined) fixes.set(one.id, fixOf(symptom.cause, [one], framework));
  }
  return { causes: groups.map((group) => causeOf(group, framework)), fixes };
}

/** The groups of two findings or more, by the rules in their order. One rule may see in a consequence what another one sees in its root. */
function groupsOf(adverse: readonly AdverseFinding[], evidence: Evidence): readonly Group[] {
  const all = rules.flatMap((rule) =>
    adverse.flatMap((one): readonly Symptomatic[] => {
      const symptom = rule(one, evidence);
      return symptom === undefined ? [] : [{ adverse: one, symptom }];
    }),
  );
  const taken = new Set<AdverseFinding>();
  const groups: Group[] = [];
  for (const sharing of groupedBy(all, ({ symptom }) => symptom.title).values()) {
    const [first, second, ...others] = sharing.filter((one) => !taken.has(one.adverse));
    if (first === undefined || second === undefined) continue;
    const group: Group = [first, second, ...others];
    groups.push(rootsFirst(group));
    for (const one of group) taken.add(one.adverse);
  }
  return groups;
}

/** What a cause violates by itself, and then what follows from that. */
function rootsFirst(group: Group): Group {
  const isRoot = ({ adverse, symptom }: Symptomatic): boolean =>
    CAUSES[symptom.cause].violates.includes(adverse.id);
  const [first = group[0], ...others] = [...group.filter(isRoot), ...group.filter((one) => !isRoot(one))];
  return [first, ...others];
}

function causeOf(group: Group, framework: Recognised | undefined): Cause {
  const [{ symptom }] = group;
  const cause = (group.find((one) => COVERS_BOTH.has(one.symptom.cause)) ?? group[0]).symptom.cause;
  const fix = fixOf(
    cause,
    group.map((one) => one.adverse),
    framework,
  );
  return {
    id: cause,
    title: symptom.title,
    requirements: group.map((one) => one.adverse.id),
    fix: fix.text,
    fixProven: fix.proven,
  };
}

/** Where findings of one title show two causes, the fix of these helps with both. */
const COVERS_BOTH: ReadonlySet<CauseId> = new Set(['invalid-body-crash', 'own-error-fields']);

/** What a finding shows by all its exchanges, or by the first where they show several problems: that one is its example. */
function symptomOf(adverse: AdverseFinding, evidence: Evidence): Symptom<CauseId> | undefined {
  const first: AdverseFinding = { ...adverse, exchanges: [adverse.exchanges[0]] };
  return firstFound([adverse, first], (one) => firstFound(rules, (rule) => rule(one, evidence)));
}

/** How to fix a cause, in the framework that its first exchange shows, or else the run. */
function fixOf(cause: CauseId, findings: readonly AdverseFinding[], ofRun: Recognised | undefined): Fix {
  const exchanges = findings.flatMap((one) => one.exchanges);
  const fix = fixFor(cause, firstFound(exchanges.slice(0, 1), frameworkOf) ?? ofRun);
  const areStored =
    cause === 'invalid-body-accepted' && exchanges.some(({ request }) => request.method === 'GET');
  return areStored
    ? { ...fix, text: `${fix.text} Then remove the invalid categories that are stored: the list shows them.` }
    : fix;
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
