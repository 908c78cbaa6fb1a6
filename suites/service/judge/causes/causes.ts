import { firstFound, groupedBy } from '../../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { answerOf, headerValue, isJsonMediaType, statusOf } from '../../../../kernel/exchanges/headers.ts';
import { exchangeName } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Cause } from '../../../../kernel/findings/record.ts';
import type { RequirementId } from '../../../../spec/register.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { authentication, withoutValidKey } from './authentication.ts';
import { adoptedId, categoryFields, createdStatus, creations, invalidBody } from './creations.ts';
import { errorBody, errors } from './errors.ts';
import type { Recognised } from './frameworks.ts';
import { frameworkOf } from './frameworks.ts';
import { dateZone, messages, slashRedirect } from './messages.ts';
import { rateHeaders, rateLimits } from './rate-limits.ts';
import type { AdverseFinding, Fix, KnownCause, Rule, Symptom } from './rule.ts';
import { asFix, symptom, untested } from './rule.ts';

const causes = { ...creations, ...errors, ...authentication, ...rateLimits, ...messages };

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

/** How a framework is set right, each by what its responses show. */
export interface FrameworkFix {
  /** Undefined where the fixes are those of any framework. */
  readonly framework: string | undefined;
  readonly fixes: readonly (Fix & Pick<KnownCause, 'where'>)[];
}

/** What may help where this requirement is violated: in any framework first, then each framework once. */
export function frameworkFixesOf(requirement: RequirementId): readonly FrameworkFix[] {
  const byFramework = new Map<string, (Fix & Pick<KnownCause, 'where'>)[]>();
  for (const { violates, where, shows: _, ...fixes } of Object.values(CAUSES)) {
    if (!violates.includes(requirement)) continue;
    for (const [name, fix] of Object.entries(fixes))
      byFramework.set(name, [...(byFramework.get(name) ?? []), { ...asFix(fix), where }]);
  }
  return [...byFramework].map(([name, fixes]) => ({
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

/** The statuses with which a server answers a request line that it cannot read: RFC 9110 §15.5.1, §15.6.2 and §15.6.6, RFC 6585 §5. */
const UNREADABLE: ReadonlySet<number | undefined> = new Set([400, 405, 414, 431, 501, 505]);

/** Bytes of a rejected body that the server did not read precede the next request on its connection (RFC 9112 §9.3). */
export function unreadBody(exchange: Exchange, all: readonly Exchange[]): string | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined || exchange.connection.fresh || !UNREADABLE.has(answer.status)) return undefined;
  if (isJsonMediaType(headerValue(answer.headers, 'Content-Type') ?? '')) return undefined;
  const before = all.findLast(
    ({ n, connection }) => n < exchange.n && connection.id === exchange.connection.id,
  );
  const wasRejected = (statusOf(before ?? exchange) ?? 0) >= 400;
  if (before === undefined || !wasRejected || (before.request.body?.bytes ?? 0) === 0) return undefined;
  return `Another possible cause: the same connection had just carried the body of ${exchangeName(before)}, which was rejected. If the server did not read that body to its end, it read the rest as the beginning of this request.`;
}

/** What explains the findings against a target, and how to fix those that stand alone. */
interface Explanation {
  readonly causes: readonly Cause[];
  /** By requirement; only findings that belong to no cause. */
  readonly fixes: ReadonlyMap<RequirementId, Fix>;
}

interface Symptomatic {
  readonly adverse: AdverseFinding;
  readonly symptom: Symptom<CauseId>;
}

type Group = readonly [Symptomatic, ...Symptomatic[]];

interface Run {
  readonly evidence: Evidence;
  readonly framework: Recognised | undefined;
}

/** Groups findings by their common cause. @param adverse the judgements against the target, in the order of the register. */
export function explain(adverse: readonly AdverseFinding[], evidence: Evidence): Explanation {
  if (adverse.length === 0) return { causes: [], fixes: new Map() };
  const run = { evidence, framework: frameworkOfRun(evidence.exchanges) };
  const groups = groupsOf(adverse, evidence);
  const grouped = new Set(groups.flat().map((one) => one.adverse));
  const fixes = new Map<RequirementId, Fix>();
  for (const one of adverse) {
    if (!grouped.has(one)) fixes.set(one.id, fixAlone(one, run));
  }
  return { causes: groups.map((group) => causeOf(group, run)), fixes };
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

function causeOf(group: Group, run: Run): Cause {
  const [{ symptom }] = group;
  const cause = (group.find((one) => COVERS_BOTH.has(one.symptom.cause)) ?? group[0]).symptom.cause;
  const fix = fixOf(
    cause,
    group.map((one) => one.adverse),
    run,
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

/** The fix of a finding by all its exchanges, or by the first where they show several problems: that one is its example. */
function fixAlone(adverse: AdverseFinding, run: Run): Fix {
  const first: AdverseFinding = { ...adverse, exchanges: [adverse.exchanges[0]] };
  const symptom = firstFound([adverse, first], (one) => firstFound(rules, (rule) => rule(one, run.evidence)));
  if (symptom !== undefined) return fixOf(symptom.cause, [adverse], run);
  return untested(joined(adverse.fix, unreadBody(adverse.exchanges[0], run.evidence.exchanges)));
}

/** How to fix a cause: the likeliest origin first, then another one that the exchange may have. */
function fixOf(cause: CauseId, findings: readonly AdverseFinding[], { evidence, framework }: Run): Fix {
  const [first] = findings.flatMap(({ exchanges }) => exchanges);
  if (first === undefined) return fixFor(cause, framework);
  const own = frameworkOf(first);
  const fix = fixFor(cause, own ?? framework);
  const text = joined(
    fix.text,
    // A page that a framework is known to write has nothing to do with the rest of an earlier body.
    own?.sure === true ? undefined : unreadBody(first, evidence.exchanges),
    cause === 'invalid-body-accepted' && findings.some(({ exchanges }) => exchanges.some(isList))
      ? 'Then remove the invalid categories that are stored: the list shows them.'
      : undefined,
  );
  return { ...fix, text };
}

const isList = ({ request }: Exchange): boolean => request.method === 'GET';

const joined = (...sentences: readonly (string | undefined)[]): string =>
  sentences.filter((one) => one !== undefined).join(' ');

/** The most responses that are searched for signs of a framework: they show early, and journals may be long. */
const MOST_SEARCHED = 200;

/** The framework that one of the first responses identifies for sure. */
function frameworkOfRun(all: readonly Exchange[]): Recognised | undefined {
  return all
    .slice(0, MOST_SEARCHED)
    .map(frameworkOf)
    .find((found) => found?.sure === true);
}
