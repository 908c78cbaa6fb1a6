import { expectations } from '../../load/judging/expectations/index.ts';
import type { Profile } from '../../load/model/profile.ts';
import { previewOf } from '../../load/preview/preview.ts';
import { profiles } from '../../load/profiles/index.ts';
import { usualSoak } from '../../load/profiles/soak.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { table } from './blocks.ts';

/** The plans of the specification whose limits are known. */
const PLANS = ['free', 'pro', 'business'];

/** The table of load profiles, with the requests under each plan; a fleet is shown with one key. */
export function loadProfiles(): string {
  const head = [
    'Profile',
    'What it does',
    'Why',
    'Free',
    'Pro',
    'Business',
    'Duration',
    'Risk of a ban',
    'Must hold',
  ];
  return table(head, profiles.map(row));
}

/** The table of expectations: what must hold for each. */
export function loadExpectations(): string {
  const used = new Set(profiles.flatMap(({ expects }) => expects));
  return table(
    ['Expectation', 'What must hold'],
    [...used].map((id) => [`\`${id}\``, expectations[id].expects]),
  );
}

function row(profile: Profile): readonly string[] {
  const previews = PLANS.map((plan) => {
    const limits = limitsOf(loadPlans(), plan);
    return previewOf(profile, { limits, fleet: 1, minutes: usualSoak(limits) });
  });
  const requests = previews.map(({ keys }) =>
    keys.map(({ key, requests: count }) => `${count.toLocaleString('en')} ${nameOf(key)}`.trim()).join(' + '),
  );
  const seconds = previews.map(({ seconds: { usual } }) => durationText(usual));
  const needs =
    profile.needs.length === 0 ? '' : ` Needs ${profile.needs.map((need) => NEEDS[need]).join(' and ')}.`;
  return [
    `\`${profile.id}\``,
    `${profile.says}${needs}`,
    profile.why,
    ...requests,
    new Set(seconds).size === 1 ? (seconds[0] ?? '') : seconds.join(', '),
    profile.banRisk,
    profile.expects.map((id) => `\`${id}\``).join(' '),
  ];
}

const NEEDS: Readonly<Record<Profile['needs'][number], string>> = {
  'other key': 'a key of another caller',
  'disposable key': 'a disposable key',
  'a day to spend': 'permission to exhaust a daily quota',
};

/** The name of a key in the table; none for the key under test and the only key of a fleet. */
const nameOf = (alias: string): string => (alias === 'key' || alias === 'fleet-1' ? '' : `(${alias})`);

function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return `${Math.round(seconds / 60)} min`;
}
