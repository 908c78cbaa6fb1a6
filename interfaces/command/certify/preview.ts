import { join } from 'node:path';
import { countOf, durationText, groupedNumber } from '../../../kernel/basics/text.ts';
import type { Selection } from '../../../kernel/findings/tested.ts';
import { paceSeconds } from '../../../kernel/rate-limits/quota.ts';
import { register } from '../../../spec/register.ts';
import { exampleName } from '../../../suites/service/inputs/name-pattern.ts';
import { MOST_REFERENCED_DOCUMENTS } from '../../../suites/service/inputs/openapi/read-document.ts';
import { repeatedAuthorization } from '../../../suites/service/probes/open-behavior.ts';
import type { RunInputs } from '../../../suites/service/probes/probe.ts';
import { mostOfDay, paceDuration, spendDay } from '../../../suites/service/probes/spend-day.ts';
import type { RunPlan } from '../../../suites/service/run/plan.ts';
import { subjectText } from '../subject.ts';
import { columns, demonstrationText, exclusivityText, percentage, planText } from '../terminal.ts';
import type { CertifySettings } from './settings.ts';

const MOST_NAMED = 12;

/**
 * What a run sends, how long it takes at least and what it leaves on the target; printed before the first request.
 * @param usedOfDay what the ledger knows of the key's day, if anything.
 */
export function previewLines(settings: CertifySettings, usedOfDay: string | undefined): readonly string[] {
  const { subject, run, folder, demonstration } = settings;
  const { inputs, probes, total } = run.plan;
  const rows = [
    ['Target', subjectText(subject)],
    ['Plan', planText(inputs.plan, inputs.limits)],
    ['Key', exclusivityText(inputs.exclusiveKey, 'it')],
    ...(run.selection === undefined ? [] : [['Partial run', partialText(run.selection)]]),
    ['Probes', `${probes.length}, each run once`],
    ...(run.plan.seconds === 0 ? [] : [['Windows', windowsText(inputs)]]),
    ['With the key', keyedText(run.plan)],
    ...(total.withOtherKeys > 0 ? [['Other keys', countOf(total.withOtherKeys, 'request')]] : []),
    ['Without a key', unauthenticatedText(run.plan)],
    ...(inputs.spendDay === true ? [['Daily quota', spendDayText(run.plan)]] : []),
    ['Duration', durationLine(run.plan)],
    ['Left behind', remainsText(inputs, total.categoriesCreated)],
    ...(inputs.openapi === undefined ? [] : [['OpenAPI', openapiText(inputs.openapi)]]),
    ...(usedOfDay === undefined ? [] : [['Used today', usedOfDay]]),
    ['Folder', join(folder, '/')],
  ];
  return [
    ...columns(rows),
    ...(demonstration ? ['', demonstrationText(inputs.limits.minuteSeconds)] : []),
    '',
  ];
}

function durationLine({ inputs, seconds }: RunPlan): string {
  const { limits, spendDay, thorough } = inputs;
  if (seconds === 0)
    return `as long as the responses take; where too little quota is left, as right after another run, it first waits for a window (${durationText(limits.minuteSeconds)})`;
  if (spendDay !== true)
    return `at least ${durationText(seconds)}, because the run waits for ${thorough ? 'windows' : 'a window'} of the limit to pass`;
  const longest = seconds + paceDuration(mostOfDay(limits) - limits.perDay, limits);
  return `about ${durationText(seconds)}, because the day is used at the pace that the limit per minute permits; up to ${durationText(longest)} if the target does not enforce it`;
}

/** Users of the key elsewhere are not in the ledger of this machine. */
function spendDayText({ inputs: { limits, exclusiveKey }, probes }: RunPlan): string {
  const requests = probes.find(({ probe }) => probe.id === spendDay.id)?.cost.withKey ?? 0;
  const open = exclusiveKey ? '' : '; without --exclusive-key, a 429 that comes too early stays inconclusive';
  return `used completely: after the other probes, ${countOf(requests, 'request')}, one every ${durationText(paceSeconds(limits))}, use the rest and exceed it by one; then the key is rate-limited until its day ends. The ledger knows the runs of this machine only: no other client may have used the key for a day${open}`;
}

const windowsText = ({ thorough }: RunInputs): string =>
  thorough
    ? 'three: the whole run, the limit again over new connections, and requests around the end of a window'
    : 'one; --thorough tests three, which is recommended for a certificate';

function partialText({ kind, requirements }: Selection): string {
  const ids = requirements.length <= MOST_NAMED ? `: ${requirements.join(', ')}` : '';
  const what = kind === 'quick' ? 'quick, without a 429' : 'selected';
  // Verdicts and reports count the requirements alone.
  const observed = register.filter(
    ({ id, level }) => level === 'OBSERVE' && requirements.includes(id),
  ).length;
  const beside = observed === 0 ? '' : ` and ${countOf(observed, 'observation')}`;
  return `${what}, ${countOf(requirements.length - observed, 'requirement')}${beside}${ids}`;
}

function keyedText({ total, mostWithKey, inputs, seconds }: RunPlan): string {
  const share = percentage(total.withKey, inputs.limits.perDay);
  const most = groupedNumber(mostWithKey);
  const more =
    seconds === 0
      ? 'it rejects the names, answers 429 or shows its list in pages'
      : 'quota comes back during the run, the target is slow, or it does not enforce its limit';
  return `${countOf(total.withKey, 'request')} (${share} of the plan's daily quota); up to ${most} if ${more}`;
}

/** Whether the request with two Authorization headers counts for the key is unknown before it was sent. */
function unauthenticatedText({ total, probes }: RunPlan): string {
  const requests = `${countOf(total.unauthenticated, 'request')} without a valid key; what gets 429, 500 or 503 is sent again`;
  return probes.some(({ probe }) => probe.id === repeatedAuthorization.id)
    ? `${requests}; one of them has two Authorization headers, and counts for the key where the target reads the first`
    : requests;
}

const remainsText = (inputs: RunInputs, categories: number): string =>
  categories === 0
    ? 'nothing, unless the target accepts an invalid creation'
    : `up to ${countOf(categories, 'category', 'categories')} named ${nameText(inputs)}, because the specification has no operation to delete one`;

/** How the created categories are named. A rejected name is followed by plainer ones, which begin with pc, too. */
const nameText = ({ tag, namePattern }: RunInputs): string =>
  namePattern === undefined ? `pc-${tag}-…` : `such as "${exampleName(namePattern)}"`;

const openapiText = ([document]: NonNullable<RunInputs['openapi']>): string =>
  `${document?.source ?? ''} and up to ${MOST_REFERENCED_DOCUMENTS} documents that it refers to, read without any key`;
