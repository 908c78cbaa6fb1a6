import { least } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { Entry } from '../../spec/register.ts';
import { register } from '../../spec/register.ts';
import type { Specification } from '../../spec/specification.ts';
import { Evidence } from '../evidence/evidence.ts';
import type { Judgement } from '../evidence/judgement.ts';
import { notTested } from '../evidence/judgement.ts';
import type { Requirement } from '../evidence/requirement.ts';
import { compileSchemas } from '../evidence/schemas.ts';
import { SUITE } from '../inputs/suite.ts';
import { headlineOf } from '../model/headline.ts';
import type { JournalContents, JournalLine, RunLine } from '../model/journal.ts';
import type { Finding, Headline, Observation, Outcome, RunRecord } from '../model/record.ts';
import { observables, requirements } from '../requirements/index.ts';
import { explain } from './causes/causes.ts';
import type { Accusation } from './causes/rules.ts';
import { excerpt } from './excerpt.ts';
import { repeatCommand } from './repeat.ts';
import { aboutTheService } from './wrong-target.ts';

export interface JudgeOptions {
  /** Every `warn` becomes a `fail`. */
  readonly strict: boolean;
}

/** A window shorter than this is for demonstrations and tests, in seconds. */
const SHORT_WINDOW = 30;

/**
 * Judges a recorded run: pure over its lines, so that anybody comes to the
 * same record, byte for byte, years later and without a network. Throws only
 * when the journal has no head (`readJournal` refuses such a file).
 */
export function judge(
  contents: JournalContents,
  specification: Specification,
  options: JudgeOptions,
): RunRecord {
  const [run] = contents.lines;
  if (run?.kind !== 'run') throw new TypeError('A journal begins with the line that describes its run.');
  const evidence = new Evidence(run, contents.lines, compileSchemas(specification.schemas));
  const about = aboutTheService(evidence);
  const judged = new Map(requirements.map((one) => [one.id as string, about(judgement(one, evidence))]));
  const { causes, fixes } = explain(accusationsOf(judged), evidence.exchanges);
  const headline = headlineOf(run, evidence.exchanges);
  const findings: Finding[] = [];
  const observations: Observation[] = [];
  const cited = new Set<Exchange>();
  for (const entry of register) {
    if (entry.level === 'OBSERVE') observations.push(observation(entry, evidence, cited));
    else {
      const weighed = weigh(judged.get(entry.id) ?? ELSEWHERE, entry.level, options);
      findings.push(finding(entry, weighed, fixes.get(entry.id), evidence, cited));
    }
  }
  const start = least(evidence.exchanges.map((exchange) => exchange.sent.mono));
  return {
    schemaVersion: 1,
    suite: run.suite,
    spec: run.spec,
    target: run.target,
    startedAt: run.startedAt,
    finishedAt: finishedAt(run, contents.lines, evidence),
    requests: { total: evidence.exchanges.length, keyed: keyedRequests(evidence) },
    strict: options.strict,
    exclusiveKey: evidence.exclusive,
    outcome: outcomeOf(findings),
    ...(headline === undefined ? {} : { headline }),
    causes,
    remarks: remarks(evidence, contents, specification, headline),
    requirements: findings,
    observations,
    evidence: [...cited].sort((a, b) => a.n - b.n).map((exchange) => excerpt(exchange, start)),
  };
}

const ELSEWHERE = notTested('It binds clients; this command examines services and does not test it.');

/** Requests that the target took for the key's: one it did not recognise used nobody's quota. */
function keyedRequests(evidence: Evidence): number {
  const recognised = evidence
    .by('unspecified')
    .filter((exchange) => accepted(exchange) || isRateLimited(exchange));
  return evidence.by('key').length + recognised.length;
}

/** A requirement whose probes were not part of the run was not asked, whatever its judge would say of nothing. */
function judgement(requirement: Requirement, evidence: Evidence): Judgement {
  const asked = requirement.probes.filter((probe) => evidence.planned(probe));
  const optional = requirement.probes.length > 0 && asked.length === 0;
  const found = requirement.judge(evidence);
  if (optional && found.verdict === 'inconclusive') return notTested('This run did not ask for it.');
  return counts(found) ? { ...found, because: `${found.because} ${requirement.whyItMatters}` } : found;
}

/** Whether a judgement counts against the target. */
const counts = ({ verdict }: Judgement): boolean => verdict === 'fail' || verdict === 'warn';

/** The judgements against the target that an exchange shows, in the order of the register. */
function accusationsOf(judged: ReadonlyMap<string, Judgement>): readonly Accusation[] {
  return register.flatMap(({ id }): readonly Accusation[] => {
    const found = judged.get(id);
    const [first, ...rest] = found?.exchanges ?? [];
    return found === undefined || first === undefined || !counts(found)
      ? []
      : [{ id, exchanges: [first, ...rest] }];
  });
}

interface Weighed extends Judgement {
  readonly level: Finding['level'];
}

/** The one place where level and strictness turn into a verdict: a broken SHOULD warns, and with `strict` every warning fails. */
function weigh(found: Judgement, level: Finding['level'], { strict }: JudgeOptions): Weighed {
  const { verdict } = found;
  if (verdict !== 'fail' && verdict !== 'warn') return { ...found, level };
  const fails = strict || (verdict === 'fail' && level === 'MUST');
  return { ...found, level, verdict: fails ? 'fail' : 'warn' };
}

function finding(
  entry: Entry,
  { level, verdict, because, exchanges, shows = exchanges.at(-1) }: Weighed,
  fix: string | undefined,
  evidence: Evidence,
  cited: Set<Exchange>,
): Finding {
  for (const exchange of exchanges) cited.add(exchange);
  const repeatable = verdict !== 'pass' && verdict !== 'not-tested' && shows !== undefined;
  return {
    id: entry.id,
    level,
    chapter: entry.chapter,
    sentence: entry.sentence,
    from: pointer(entry),
    verdict,
    because,
    exchanges: exchanges.map(({ n }) => n),
    ...(fix === undefined ? {} : { fix }),
    ...(repeatable ? { repeat: repeatCommand(evidence.run, shows) } : {}),
  };
}

function observation(entry: Entry, evidence: Evidence, cited: Set<Exchange>): Observation {
  const observable = observables.find(({ id }) => id === entry.id);
  const { value, exchanges = [], warning } = observable?.observe(evidence) ?? { value: 'Not observed.' };
  for (const exchange of exchanges) cited.add(exchange);
  return {
    id: entry.id,
    chapter: entry.chapter,
    sentence: entry.sentence,
    value,
    exchanges: exchanges.map(({ n }) => n),
    ...(warning === undefined ? {} : { warning }),
  };
}

const pointer = ({ from }: Entry): string => `interface-specification.md#${from.section}`;

/** The verdict on the target as a whole. A MUST that proves nothing is never called conforming. */
export function outcomeOf(findings: readonly Finding[]): Outcome {
  if (findings.some(({ verdict }) => verdict === 'fail')) return 'violates';
  const open = findings.some(({ level, verdict }) => level === 'MUST' && verdict === 'inconclusive');
  return open ? 'incomplete' : 'conforms';
}

function finishedAt(run: RunLine, lines: readonly JournalLine[], { end }: Evidence): string {
  if (end !== undefined) return end.finishedAt;
  const last = lines.at(-1);
  if (last?.kind === 'exchange') return new Date(last.received.wall).toISOString();
  return last !== undefined && 'at' in last ? new Date(last.at).toISOString() : run.startedAt;
}

function remarks(
  { run, end }: Evidence,
  { damage }: JournalContents,
  specification: Specification,
  headline: Headline | undefined,
): readonly string[] {
  const found: string[] = [...damage];
  if (headline?.kind === 'wrong-target') return found;
  if (end === undefined)
    found.push('The journal has no last line: the run was cut off, and is judged as far as it goes.');
  else if (end.how !== 'finished') found.push(`The run did not finish: ${end.because}`);
  if (run.limits.minuteSeconds < SHORT_WINDOW) {
    found.push(
      `The minute of this run lasted ${run.limits.minuteSeconds} s. So short a window weakens every proof about time: LIMIT-2, LIMIT-4, RATE-8, RATE-9 and RETRY-4 allow for clocks and rounding of a second or two. For a certificate, examine with the real window.`,
    );
  }
  if (run.suite.version !== SUITE.version) {
    found.push(
      `The run was recorded by version ${run.suite.version} of the suite and judged by version ${SUITE.version}: what either of them probes or knows besides shows here.`,
    );
  }
  if (run.spec.digest !== specification.digest) {
    found.push(
      `The journal was recorded against another state of the specification (${run.spec.digest}) than the one it is judged by (${specification.digest}).`,
    );
  }
  return found;
}
