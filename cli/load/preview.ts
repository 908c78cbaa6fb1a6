import type { Need, Profile } from '../../load/model/profile.ts';
import type { KeyPreview, Peak } from '../../load/preview/preview.ts';
import type { Limits } from '../../spec/plans.ts';
import { baseUrlText } from '../../suites/inputs/base-url.ts';
import { dayText } from '../../usage-ledger/sentences.ts';
import { secondsText } from '../../words/seconds-text.ts';
import { demonstrationText, percentage, planText, subjectText } from '../preview-texts.ts';
import { columns, counted } from '../terminal.ts';
import type { Guarding } from './guarding.ts';
import type { LoadSettings } from './settings.ts';

/** What a load run will do, for a person: said before the first request. */
export function loadPreviewLines(settings: LoadSettings, guarding: Guarding, now: number): readonly string[] {
  const { profile, subject, plan, inputs, preview, demonstration } = settings;
  const { limits } = inputs;
  const rows = [
    ['Profile', `${profile.id}: ${profile.says}`],
    ['', profile.why],
    ['Target', subjectText(subject)],
    ['Plan', planText(plan, limits)],
    ['Takes', durationText(settings)],
    ['Remains', remainsText(preview.creations)],
    ['Ban', BAN_RISKS[preview.banRisk]],
    ...preview.needs.map((need) => ['Needs', NEEDS[need]]),
    ...ledgerRows(guarding, limits, now),
    ...guarding.obstacles.map((obstacle) => ['Refused', obstacle]),
  ];
  return [
    ...columns(rows),
    '',
    ...table(settings),
    ...(demonstration ? ['', demonstrationText(limits.minuteSeconds)] : []),
    '',
  ];
}

/** The same for a program: one JSON object. */
export function loadPreviewJson(settings: LoadSettings, guarding: Guarding): string {
  const { subject, plan, inputs, preview } = settings;
  const target = subject.kind === 'target' ? baseUrlText(subject.access.baseUrl) : null;
  const ledger = guarding.days === undefined ? null : Object.fromEntries(guarding.days);
  const { limits } = inputs;
  return JSON.stringify({ ...preview, target, plan, limits, ledger, obstacles: guarding.obstacles }, null, 2);
}

const BAN_RISKS: Readonly<Record<Profile['banRisk'], string>> = {
  none: 'no risk: it never goes beyond the limit',
  low: 'a low risk: it goes beyond the limit as little as it must',
  'meant to': 'meant to bring one: it keeps sending after 429 with the sacrificial key',
};

const NEEDS: Readonly<Record<Need, string>> = {
  'other key': 'a key of another caller',
  'disposable key': 'a key that may be banned',
  'a day to spend':
    'a day of the key to spend (--spend-day), or a plan file whose day is over within the hour',
};

/** What was used of each key's day, where the target is one of which a ledger is kept. */
function ledgerRows({ days, damaged }: Guarding, limits: Limits, now: number): readonly string[][] {
  if (days === undefined) return [];
  const used = days.filter(([, day]) => day.used > 0);
  const rows = used.map(([alias, day]) => ['Ledger', `${alias}: ${dayText(day, limits, now)}`]);
  return [
    ...(rows.length === 0 ? [['Ledger', 'nothing used within a day, as far as this machine knows']] : rows),
    ...(damaged > 0
      ? [['', `${counted(damaged, 'line')} of the ledger cannot be read: what they told is not counted`]]
      : []),
  ];
}

function durationText({ preview, inputs }: LoadSettings): string {
  const { usual, afterUse } = preview.seconds;
  const about = `about ${secondsText(usual)} if the target answers quickly`;
  if (afterUse === usual) return about;
  return `${about}; ${secondsText(afterUse)} where a key was used within the last ${secondsText(2 * inputs.limits.minuteSeconds)}`;
}

const remainsText = (creations: number): string =>
  creations === 0
    ? 'nothing: it only asks for the list'
    : `${counted(creations, 'category', 'categories')} on the target: the specification has no way to delete one`;

/** One row for each key, and their sum. */
function table({ preview }: LoadSettings): readonly string[] {
  const head = ['Key', 'Requests', 'At most in a minute', 'Of the minute', 'Of the day', 'Peak'];
  const row = ({ key, requests, mostInMinute, minuteShare, dayShare, peak }: KeyPreview) => [
    key,
    requests.toLocaleString('en'),
    mostInMinute.toLocaleString('en'),
    percentage(minuteShare, 1),
    percentage(dayShare, 1),
    peakText(peak),
  ];
  const total = ['in all', preview.requests.toLocaleString('en'), '', '', '', peakText(preview.peak)];
  return columns(aligned([head, ...preview.keys.map(row), total]));
}

/** Numbers stand under each other at their ends; the first and the last column hold words. */
function aligned(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const width = (at: number): number => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  return rows.map((row) =>
    row.map((cell, at) => (at === 0 || at === row.length - 1 ? cell : cell.padStart(width(at)))),
  );
}

/** `0.9 per second`, `6 at once`, or both where a lane does one after the other. */
function peakText({ perSecond, atOnce }: Peak): string {
  const rate = `${Number(perSecond.toPrecision(2)).toLocaleString('en')} per second`;
  if (perSecond === 0) return `${atOnce} at once`;
  return atOnce > 1 ? `${rate}; ${atOnce} at once` : rate;
}
