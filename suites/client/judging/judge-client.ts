import { definedFields } from '../../../kernel/basics/json.ts';
import { COMMAND, countOf, shellWord } from '../../../kernel/basics/text.ts';
import { least } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { headerValue } from '../../../kernel/exchanges/headers.ts';
import { findingOf, outcomeOf, weighed } from '../../../kernel/findings/finding.ts';
import { partialAnswer } from '../../../kernel/findings/gate.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { inconclusive, isAdverse, notTested } from '../../../kernel/findings/judgement.ts';
import type { ClientRecord, Finding, Observation } from '../../../kernel/findings/record.ts';
import type { Entry, RequirementId } from '../../../spec/register.ts';
import { register } from '../../../spec/register.ts';
import type { Specification } from '../../../spec/specification.ts';
import { isSelected } from '../../service/evidence/evidence.ts';
import { excerpt } from '../../service/evidence/run-remarks.ts';
import { libraryOf } from '../libraries/index.ts';
import type { ClientJournalContents, ClientRunLine } from '../model/journal.ts';
import { scenariosOf } from '../scenarios/index.ts';
import type { ClientObservation, ClientRequirement, ClientStart } from './evidence.ts';
import { ClientEvidence, completed } from './evidence.ts';
import { clientHeadline, clientRemarks, endingText, lackingOf, timelineOf } from './remarks.ts';
import { clientObservables, clientRequirements } from './requirements/index.ts';

export interface JudgeClientOptions {
  /** Every `warn` becomes a `fail`. */
  readonly strict: boolean;
}

/** Pure, so that anybody gets the same record, byte for byte, years later. @throws {TypeError} when the journal has no head. */
export function judgeClient(
  contents: ClientJournalContents,
  specification: Specification,
  options: JudgeClientOptions,
): ClientRecord {
  const [run] = contents.lines;
  if (run?.kind !== 'client-run')
    throw new TypeError('A journal of a client begins with the line that describes its run.');
  const evidence = new ClientEvidence(run, contents.lines);
  const { findings, observations } = judgeRegister(evidence, options);
  const cited = new Set([...findings, ...observations].flatMap(({ exchanges }) => exchanges));
  const lacking = lackingOf(evidence, contents);
  const { requests } = evidence;
  const start = least(requests.map(({ arrival }) => arrival.at.mono));
  return definedFields({
    schemaVersion: 2 as const,
    subject: 'client' as const,
    suite: run.suite,
    spec: run.spec,
    journal: contents.digest === undefined ? undefined : { digest: contents.digest },
    product: run.product,
    client: run.client,
    startedAt: run.startedAt,
    finishedAt: finishedAt(run, contents, evidence),
    requests: { total: requests.length, keyed: requests.filter(({ keyed }) => keyed).length },
    strict: options.strict,
    outcome: outcomeOf(findings, lacking, run.selection),
    selection: run.selection,
    partial: run.selection === undefined ? undefined : partialAnswer(findings, lacking, run.selection),
    lacking: lacking.length === 0 ? undefined : (true as const),
    headline: clientHeadline(evidence),
    causes: [],
    remarks: clientRemarks(evidence, contents, specification),
    requirements: findings,
    observations,
    timelines: evidence.starts
      .filter((one) => one.requests.length > 0 || one.exit !== undefined)
      .map((one) => timelineOf(one, run.client.where)),
    evidence: requests.flatMap(({ exchange }) => (cited.has(exchange.n) ? [excerpt(exchange, start)] : [])),
  });
}

function judgeRegister(
  evidence: ClientEvidence,
  { strict }: JudgeClientOptions,
): Pick<ClientRecord, 'observations'> & { readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const observations: Observation[] = [];
  for (const entry of register) {
    if (entry.judged !== 'by certify-client') continue;
    if (entry.level === 'OBSERVE') {
      observations.push(observationOf(entry, evidence));
      continue;
    }
    const requirement = clientRequirements.find(({ id }) => id === entry.id);
    if (requirement === undefined) continue;
    const judged = isSelected(entry.id, evidence.run.selection)
      ? judgementOf(requirement, evidence)
      : notTested(NOT_SELECTED);
    const found = weighed(judged, entry.level, strict);
    const words = { whyItMatters: requirement.whyItMatters, fix: fixFor(requirement, found.exchanges) };
    findings.push(findingOf(entry, found, words, repeatCommand(evidence.run, entry.id)));
  }
  return { findings, observations };
}

const NOT_SELECTED = 'The run was limited to other requirements. A complete run tests it.';

/** The command that tests a requirement again; undefined for a client that a person started. */
function repeatCommand({ client }: ClientRunLine, id: RequirementId): string | undefined {
  if (client.kind !== 'command') return undefined;
  const remote = client.where === 'another host' ? ' --remote' : '';
  return `${COMMAND} certify-client --only ${id}${remote} -- ${client.words.map(shellWord).join(' ')}`;
}

function observationOf({ id, chapter, sentence }: Entry, evidence: ClientEvidence): Observation {
  const observable = clientObservables.find((one) => one.id === id);
  const planned = isSelected(id, evidence.run.selection) && evidence.of(...scenariosOf(id)).length > 0;
  const {
    value,
    exchanges = [],
    advice,
  } = observable !== undefined && planned ? observable.observe(evidence) : NOT_OBSERVED;
  return definedFields({ id, chapter, sentence, value, exchanges: exchanges.map(({ n }) => n), advice });
}

const NOT_OBSERVED: ClientObservation = { value: 'This run did not include the test.' };

/** What a requirement finds, as far as the run went: without all of its starts it finds violations, and no conformance. */
function judgementOf(requirement: ClientRequirement, evidence: ClientEvidence): Judgement {
  const { isCommand } = evidence;
  if (!isCommand && requirement.notWhenAttached !== undefined) return notTested(requirement.notWhenAttached);
  const found = requirement.judge(evidence);
  if (isAdverse(found) || !isCommand) return found;
  // What only an unclear backoff needs was not planned from the first.
  const missing = evidence.starts.filter(
    (start) =>
      !completed(start) &&
      start.played?.decides.includes(requirement.id) === true &&
      start.played.when !== 'unclear backoff',
  );
  return missing.length === 0 ? found : inconclusive(missingText(missing), found.exchanges);
}

function missingText(missing: readonly ClientStart[]): string {
  const names = [...new Set(missing.map(({ scenario }) => `\`${scenario}\``))].join(', ');
  const endings = [...new Set(missing.map(endingText))].slice(0, 2).join(', or ');
  return `Of ${names} ${countOf(missing.length, 'start')} did not come to an end of its own, because the client ${endings}; without them this is not tested completely.`;
}

function finishedAt(run: ClientRunLine, { lines }: ClientJournalContents, { end }: ClientEvidence): string {
  if (end !== undefined) return end.finishedAt;
  const last = lines.findLast((line) => 'at' in line);
  return last === undefined || !('at' in last) ? run.startedAt : new Date(last.at.wall).toISOString();
}

/** In any library, and in the one that the User-Agent of the requests names. It decides advice, never a verdict. */
function fixFor({ fix, fixedIn }: ClientRequirement, shownBy: readonly Exchange[]): string {
  if (fixedIn === 'program') return fix;
  const agents = shownBy.map(({ request }) => headerValue(request.headers, 'User-Agent') ?? '');
  const [library] = agents.flatMap((agent) => libraryOf(agent) ?? []);
  return library === undefined
    ? fix
    : `${fix} The client names ${library.name} in its User-Agent (proven with ${library.version}): ${library.fix}`;
}
