import { definedFields } from '../../../kernel/basics/json.ts';
import { COMMAND } from '../../../kernel/basics/text.ts';
import { least } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { findingOf, outcomeOf, weighed } from '../../../kernel/findings/finding.ts';
import { factText } from '../../../kernel/findings/finding-text.ts';
import { partialAnswer } from '../../../kernel/findings/gate.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { inconclusive, isAdverse, notTested } from '../../../kernel/findings/judgement.ts';
import type { Finding, Observation, ServiceRecord } from '../../../kernel/findings/record.ts';
import type { Entry } from '../../../spec/register.ts';
import { register } from '../../../spec/register.ts';
import type { Specification } from '../../../spec/specification.ts';
import { judgedByClocks } from '../evidence/circumstances.ts';
import type { Observed, Requirement } from '../evidence/evidence.ts';
import { Evidence, isSelected, whyNotSelected } from '../evidence/evidence.ts';
import { isLockedOut, lockoutText } from '../evidence/locked-out.ts';
import { excerpt } from '../evidence/run-remarks.ts';
import { headlineOf, wrongTarget } from '../model/headline.ts';
import type { JournalContents, JournalLine, RunLine } from '../model/journal.ts';
import type { Lockout } from '../model/lockout.ts';
import { readTarget } from '../model/target-reading.ts';
import { observables, requirements } from '../requirements/index.ts';
import { explain } from './causes/causes.ts';
import type { AdverseFinding } from './causes/rule.ts';
import { untested } from './causes/rule.ts';
import { lackingOf, remarksOf } from './remarks.ts';
import { repeatCommand, timelineOf } from './repeat.ts';

/** Why a test of a service says nothing about a requirement on clients, and which command does. */
const BINDS_CLIENTS = `This requirement is for clients; certify tests services. To test a client, run \`${COMMAND} certify-client -- COMMAND\`.`;

/** What a target does where the specification leaves it open, as it stands in a record; the exchanges that show it are added to `cited`. */
function observationOf(entry: Entry, evidence: Evidence, cited: Set<Exchange>): Observation {
  const { id, chapter, sentence } = entry;
  const { value, exchanges = [], warning } = observed(id, evidence);
  for (const exchange of exchanges) cited.add(exchange);
  return definedFields({ id, chapter, sentence, value, exchanges: exchanges.map(({ n }) => n), warning });
}

function observed(id: string, evidence: Evidence): Observed {
  if (!isSelected(id, evidence.run.selection)) return { value: 'Not part of this run.' };
  const observable = observables.find((one) => one.id === id);
  return observable?.observe(evidence) ?? { value: BINDS_CLIENTS };
}

interface JudgeOptions {
  /** Every `warn` becomes a `fail`. */
  readonly strict: boolean;
  /** The lines are traffic that was only watched, so that no probe was to send it; no by default. */
  readonly watched?: true;
}

/** Pure, so that anybody gets the same record, byte for byte, years later. Throws only when the journal has no head. */
export function judge(
  contents: JournalContents,
  specification: Specification,
  options: JudgeOptions,
): ServiceRecord {
  const [run] = contents.lines;
  if (run?.kind !== 'run') throw new TypeError('A journal begins with the line that describes its run.');
  const evidence = new Evidence(run, contents.lines);
  const { requirements: findings, causes, observations, cited } = judgeRegister(evidence, options);
  const headline = headlineOf(run, evidence.recorded);
  const lacking = lackingOf(evidence, contents, options);
  const byNumber = new Map(evidence.recorded.map((exchange) => [exchange.n, exchange]));
  const asRecorded = (exchange: Exchange): Exchange => byNumber.get(exchange.n) ?? exchange;
  const start = least(evidence.exchanges.map((exchange) => exchange.sent.mono));
  return definedFields({
    schemaVersion: 2 as const,
    subject: 'service' as const,
    suite: run.suite,
    spec: run.spec,
    journal: contents.digest === undefined ? undefined : { digest: contents.digest },
    product: run.product,
    target: run.target,
    startedAt: run.startedAt,
    finishedAt: finishedAt(run, contents.lines, evidence),
    requests: { total: evidence.exchanges.length, keyed: keyedRequests(evidence) },
    strict: options.strict,
    exclusiveKey: evidence.exclusive,
    outcome: outcomeOf(findings, lacking, run.selection),
    selection: run.selection,
    partial: run.selection === undefined ? undefined : partialAnswer(findings, lacking, run.selection),
    lacking: lacking.length === 0 ? undefined : (true as const),
    headline,
    causes,
    remarks: remarksOf(evidence, { ...contents, lacking }, specification, headline),
    requirements: findings,
    observations,
    evidence: [...new Set([...cited].map(asRecorded))]
      .sort((a, b) => a.n - b.n)
      .map((exchange) => excerpt(exchange, start)),
    timeline: timelineOf(evidence.recorded, start),
  });
}

function judgeRegister(evidence: Evidence, { strict }: JudgeOptions) {
  const about = aboutTheService(evidence);
  const { selection } = evidence.run;
  const judged = new Map(
    requirements.map((one) => [
      one.id as string,
      isSelected(one.id, selection)
        ? explainedByLockout(evidence, one, about(judgementOf(one, evidence)))
        : notTested(whyNotSelected(selection)),
    ]),
  );
  const { causes, fixes } = explain(adverseFindings(judged), evidence);
  const explained = new Set(causes.flatMap((cause) => cause.requirements));
  const findings: Finding[] = [];
  const observations: Observation[] = [];
  const cited = new Set<Exchange>();
  for (const entry of register) {
    if (entry.level === 'OBSERVE') {
      observations.push(observationOf(entry, evidence, cited));
      continue;
    }
    const { id, level } = entry;
    const found = weighed(judged.get(id) ?? FOR_CLIENTS, level, strict);
    const { exchanges, shows = exchanges.slice(-1) } = found;
    for (const exchange of exchanges) cited.add(exchange);
    const { whyItMatters = '', fix: inGeneral = '' } = byId.get(id) ?? {};
    const { text, proven } = fixes.get(id) ?? untested(inGeneral);
    const remedy = explained.has(id) ? {} : { fix: text, fixProven: proven };
    const repeat = shows.length === 0 ? undefined : repeatCommand(evidence.run, shows);
    findings.push(findingOf(entry, found, { whyItMatters, ...remedy }, repeat));
  }
  return { requirements: findings, causes, observations, cited };
}

const byId: ReadonlyMap<string, Requirement> = new Map(requirements.map((one) => [one.id, one]));

const FOR_CLIENTS = notTested(BINDS_CLIENTS);

/** Requests that the target counted as the key's: one without a recognised key used no quota. */
function keyedRequests(evidence: Evidence): number {
  const recognised = evidence
    .by('unspecified')
    .filter((exchange) => accepted(exchange) || isRateLimited(exchange));
  return evidence.by('key').length + recognised.length;
}

/** A requirement whose probes were not part of the run was not tested, whatever its judge finds in the other exchanges. */
function judgementOf(requirement: Requirement, evidence: Evidence): Judgement {
  const planned = requirement.probes.filter((probe) => evidence.planned(probe));
  const skipped = requirement.probes.length > 0 && planned.length === 0;
  const found = judgedByClocks(requirement, evidence);
  return skipped && found.verdict === 'inconclusive'
    ? notTested('This run did not include the test.')
    : found;
}

/** The judgements against the target that an exchange shows, in the order of the register. */
function adverseFindings(judged: ReadonlyMap<string, Judgement>): readonly AdverseFinding[] {
  return register.flatMap(({ id }): readonly AdverseFinding[] => {
    const found = judged.get(id);
    const [first, ...rest] = found?.exchanges ?? [];
    return found === undefined || first === undefined || !isAdverse(found)
      ? []
      : [{ id, exchanges: [first, ...rest] }];
  });
}

function finishedAt(run: RunLine, lines: readonly JournalLine[], { end }: Evidence): string {
  if (end !== undefined) return end.finishedAt;
  const last = lines.at(-1);
  if (last?.kind === 'exchange') return new Date(last.received.wall).toISOString();
  return last !== undefined && 'at' in last ? new Date(last.at).toISOString() : run.startedAt;
}

/** None about another server, and none against what did not show itself as the service. More of a journal never takes back a `fail`. */
function aboutTheService(evidence: Evidence): (found: Judgement) => Judgement {
  const { exchanges, run } = evidence;
  const headline = wrongTarget(run.target.baseUrl, exchanges);
  const reading = readTarget(exchanges);
  if (headline !== undefined && reading.kind === 'not-the-service') {
    const shown = [reading.list, reading.creation];
    return (found) => (found.verdict === 'not-tested' ? found : inconclusive(headline.text, shown));
  }
  if (evidence.finished || reading.kind === 'service') return (found) => found;
  return (found) =>
    isAdverse(found)
      ? inconclusive(
          `The run ended before it showed that the target is the service. ${factText(found)}`,
          found.exchanges,
        )
      : found;
}

/** Says of a judgement that a lockout leaves open, by its exchanges or by its probes, what probably caused it. */
function explainedByLockout(evidence: Evidence, requirement: Requirement, found: Judgement): Judgement {
  if (found.verdict !== 'inconclusive') return found;
  const lockout = evidence.lockouts.find((one) => leavesOpen(evidence, one, requirement, found));
  if (lockout === undefined) return found;
  const { pair, exchanges } = lockout;
  const shown = pair === undefined ? [] : [pair.otherwise];
  return {
    ...found,
    reason: `${found.reason} ${lockoutText(lockout)} To go without it: --skip ${requirement.id}.`,
    exchanges: [...new Set([...found.exchanges, ...shown, ...exchanges.slice(0, 1)])],
  };
}

function leavesOpen(
  { run }: Evidence,
  { exchanges: [first], lasts }: Lockout,
  { probes }: Requirement,
  { exchanges }: Judgement,
): boolean {
  if (exchanges.some(isLockedOut)) return true;
  if (first === undefined || !lasts) return false;
  const order = run.probes.map(({ id }) => id);
  const stopped = order.slice(order.indexOf(first.probe));
  return probes.some((id) => stopped.includes(id));
}
