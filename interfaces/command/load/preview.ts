import { countOf, durationText, groupedNumber } from '../../../kernel/basics/text.ts';
import { readRateHeaders } from '../../../kernel/exchanges/rate-headers.ts';
import { dayUsageText } from '../../../kernel/usage-ledger/day-usage.ts';
import { foundEffect, LATENCY_FIGURES, leastRuns } from '../../../load/compare/repetitions.ts';
import { foundSlowdown, WITHIN_A_MINUTE_MS } from '../../../load/judging/slower.ts';
import type { KeyAlias, Profile, Scenario, Step } from '../../../load/model/profile.ts';
import type { Sample } from '../../../load/model/sample.ts';
import { answerOf, stopText } from '../../../load/model/sample.ts';
import type { BanRisk, KeyPreview, Need, Peak } from '../../../load/preview.ts';
import { totalOf } from '../../../load/preview.ts';
import { restMs, totalRequests } from '../../../load/profiles/arithmetic.ts';
import type { GuardReport } from '../../../load/run/guard.ts';
import type { ScenarioRecord } from '../../../load/run/samples.ts';
import { figureColumns } from '../../../reports/terminal.ts';
import type { Limits } from '../../../spec/plans.ts';
import { baseUrlText } from '../../../suites/service/inputs/base-url.ts';
import type { RunSoFar } from '../../run/progress.ts';
import { waitText } from '../../run/progress.ts';
import { subjectText } from '../subject.ts';
import { columns, demonstrationText, exclusivityText, percentage, planText } from '../terminal.ts';
import type { LoadSettings } from './settings.ts';

/** What a load run will do, for a person; printed before the first request. */
export function loadPreviewLines(settings: LoadSettings, guard: GuardReport, now: number): readonly string[] {
  const { profile, subject, plan, inputs, preview, demonstration } = settings;
  const { limits } = inputs;
  const rows = [
    ['Profile', `${profile.id}: ${profile.description}`],
    ['', profile.why],
    ['Target', subjectText(subject)],
    ...(settings.against === undefined ? [] : [['Against', subjectText(settings.against.subject)]]),
    ['Plan', planText(plan, limits)],
    ['Keys', exclusivityText(inputs.exclusiveKeys === true, 'them')],
    ['Duration', runDurationText(settings)],
    ['Creates', creationsText(preview.creations)],
    ...repetitionRows(settings),
    ...slowdownRows(profile),
    ['Ban risk', BAN_RISKS[preview.banRisk]],
    ...(settings.dashboardPort === undefined
      ? []
      : [['Watch', `http://127.0.0.1:${settings.dashboardPort} while the run goes on`]]),
    ...preview.needs.map((need) => ['Needs', NEEDS[need]]),
    ...usageRows(guard, limits, now),
    ...guard.obstacles.map((obstacle) => ['Blocked', obstacle]),
  ];
  return [
    ...columns(rows),
    '',
    ...keyTable(settings),
    ...(demonstration ? ['', demonstrationText(limits.minuteSeconds)] : []),
    '',
  ];
}

/** The same as one JSON object, for programs. */
export function loadPreviewJson(settings: LoadSettings, guard: GuardReport): string {
  const { plan, inputs, preview, repetitions, targets, against } = settings;
  const { limits } = inputs;
  const whole = {
    ...preview,
    repetitions: repetitions === 1 ? undefined : totalOf(preview, targets * repetitions, limits),
    target: addressOf(settings) ?? null,
    against: against && addressOf(against),
    ...{ plan, limits },
    usage: guard.usage === undefined ? null : Object.fromEntries(guard.usage),
    obstacles: guard.obstacles,
  };
  return JSON.stringify(whole, null, 2);
}

const addressOf = ({ subject }: LoadSettings): string | undefined =>
  subject.kind === 'target' ? baseUrlText(subject.access.baseUrl) : undefined;

/** What a profile that compares latencies within a run finds. */
function slowdownRows({ expects }: Profile): readonly string[][] {
  if (expects.includes('NEIGHBOUR')) return [['Finds', foundSlowdown(WITHIN_A_MINUTE_MS)]];
  return expects.includes('RECOVERS') || expects.includes('STEADY') ? [['Finds', foundSlowdown()]] : [];
}

const BAN_RISKS: Readonly<Record<BanRisk, string>> = {
  none: 'none: it stays within the limit',
  low: 'low: it exceeds the limit by as few requests as possible',
  intended: 'intended: it keeps sending after 429 with the disposable key',
};

const NEEDS: Readonly<Record<Need, string>> = {
  'other key': 'a key of another caller',
  'disposable key': 'a key that may get banned',
  'whole day':
    'permission to use a whole day’s quota (--use-full-day), or a plan file whose day lasts at most an hour',
};

function usageRows({ usage, damagedLines }: GuardReport, limits: Limits, now: number): readonly string[][] {
  if (usage === undefined) return [];
  const rows = usage
    .filter(([, { used }]) => used > 0)
    .map(([alias, day]) => ['Used', `${alias}: ${dayUsageText(day, limits, now)}`]);
  return [
    ...(rows.length === 0 ? [['Used', 'nothing in the last day, as recorded on this machine']] : rows),
    ...(damagedLines > 0
      ? [['', `not counted: ${countOf(damagedLines, 'line')} of the usage ledger that cannot be read`]]
      : []),
  ];
}

function runDurationText({ preview, inputs }: LoadSettings): string {
  const { expected, afterRecentUse } = preview.seconds;
  const about = `about ${durationText(expected)} if the target responds quickly`;
  if (afterRecentUse === expected) return about;
  return `${about}; ${durationText(afterRecentUse)} if a key was used within the last ${durationText(2 * inputs.limits.minuteSeconds)}`;
}

/** The total of all runs, where there are several; the rows before it are about one run. */
function repetitionRows({ preview, repetitions, targets, inputs }: LoadSettings): readonly string[][] {
  if (repetitions === 1) return [];
  const total = totalOf(preview, targets * repetitions, inputs.limits);
  const { runs, requests, creations, seconds } = total;
  const created = creations === 0 ? '' : ` and ${countOf(creations, 'category', 'categories')} that stay`;
  return [
    [
      'Repeats',
      `${runs} runs like this one${targets === 2 ? ', of both targets in turn' : ''}, ${durationText(restMs(inputs.limits) / 1000)} apart: ${groupedNumber(requests)} requests${created} in all, about ${durationText(seconds.expected)}`,
    ],
    ['Finds', effectText(repetitions)],
  ];
}

/** The change that two sets of so many runs can show. */
function effectText(repetitions: number): string {
  const spreads = foundEffect(repetitions);
  return spreads === undefined
    ? `beside another set of ${repetitions}, only verdicts that change: latencies need ${leastRuns(LATENCY_FIGURES)} runs of each`
    : `beside another set of ${repetitions}, a latency that changes by ${spreads.toFixed(1)} times what it varies by from run to run, in 8 of 10 comparisons`;
}

const creationsText = (creations: number): string =>
  creations === 0
    ? 'nothing: it only requests the list'
    : `${countOf(creations, 'category', 'categories')} that stay on the target: the specification has no operation to delete one`;

function keyTable({ preview }: LoadSettings): readonly string[] {
  const head = ['Key', 'Requests', 'Most in a minute', 'Share of limit', 'Share of day', 'Peak'];
  const row = ({ key, requests, mostInMinute, minuteShare, dayShare, peak }: KeyPreview) => [
    key,
    groupedNumber(requests),
    groupedNumber(mostInMinute),
    percentage(minuteShare, 1),
    percentage(dayShare, 1),
    peakText(peak),
  ];
  const total = ['total', groupedNumber(preview.requests), '', '', '', peakText(preview.peak)];
  return figureColumns([head, ...groupsOf(preview.keys.map(row)), total]);
}

function groupsOf(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (rows.length <= MOST_ROWS) return rows;
  const groups: { readonly first: string; last: string; readonly figures: readonly string[] }[] = [];
  for (const [key = '', ...figures] of rows) {
    const group = groups.at(-1);
    if (group?.figures.join('|') === figures.join('|')) group.last = key;
    else groups.push({ first: key, last: key, figures });
  }
  return groups.map(({ first, last, figures }) => [
    first === last ? first : `${first} to ${last}, each`,
    ...figures,
  ]);
}

/** Keys of which each has its own row. */
const MOST_ROWS = 12;

/** `0.9 per second`, `6 in flight`, or both where a scenario has both kinds of steps. */
function peakText({ perSecond, concurrency }: Peak): string {
  const rate = `${groupedNumber(Number(perSecond.toPrecision(2)))} per second`;
  if (perSecond === 0) return `${concurrency} in flight`;
  return concurrency > 1 ? `${rate}; ${concurrency} in flight` : rate;
}

const ACTIVITIES: Readonly<Record<Step['kind'], string>> = {
  preflight: 'sends the preflight request',
  'await full quota': 'waits for a full quota',
  rest: 'pauses as planned',
  paced: 'sends at an even pace',
  scheduled: 'sends as scheduled',
  burst: 'sends a burst',
  'await retry-after': 'waits for Retry-After',
  polite: 'sends and backs off after 429',
  persist: 'keeps sending despite 429',
};

/** With more keys than these, a line for each of their steps would hide the others. */
const MOST_KEYS = 12;

/** A load run so far, from the records of its scenarios. News are each new step and each wait, of few keys. */
export function loadSoFar(scenarios: readonly Scenario[]): RunSoFar<ScenarioRecord> {
  const planned = totalRequests(scenarios);
  const isSingle = scenarios.length === 1;
  /** The latest record of each key, the latest of all last. */
  const latest = new Map<KeyAlias, ScenarioRecord>();
  let sent = 0;
  let accepted = 0;
  let rateLimited = 0;
  let remainingText = '';
  const count = ({ key, outcome }: Sample): void => {
    sent += 1;
    if (outcome.kind !== 'answer') return;
    if (outcome.status >= 200 && outcome.status < 300) accepted += 1;
    if (outcome.status === 429) rateLimited += 1;
    const { remaining } = readRateHeaders(answerOf(outcome).headers);
    remainingText = remaining === undefined ? '' : ` · Remaining ${remaining}${isSingle ? '' : ` (${key})`}`;
  };
  return {
    update(record) {
      const before = latest.get(record.key);
      latest.delete(record.key);
      latest.set(record.key, record);
      if ('outcome' in record) count(record);
      const goesOn =
        'outcome' in record && before !== undefined && 'outcome' in before && before.step === record.step;
      return goesOn || scenarios.length > MOST_KEYS ? 'goes on' : 'news';
    },
    responds: (record) => 'outcome' in record && record.outcome.kind === 'answer',
    text() {
      // Of several keys, the one with the latest record, preferably one that is not waiting.
      const all = [...latest.values()].reverse();
      const record = all.find((one) => one.kind !== 'waiting') ?? all[0];
      const whose = record === undefined || isSingle ? '' : `${record.key} `;
      const activity = record === undefined ? 'starting k6' : activityOf(record);
      return `${sent}/${planned} sent · ${accepted} accepted · ${rateLimited === 0 ? 'no' : `${rateLimited} ×`} 429${remainingText} · ${whose}${activity}`;
    },
  };
}

function activityOf(record: ScenarioRecord): string {
  if (record.kind === 'waiting') return waitText(record.untilMs - Date.now(), record.because);
  if (record.kind === 'stopped') return `stopped: ${stopText(record)}`;
  return record.kind === 'finished' ? 'finished' : ACTIVITIES[record.kind];
}
