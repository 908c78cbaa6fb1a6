import { groupedNumber } from '../../kernel/basics/text.ts';
import type { Profile } from '../../load/model/profile.ts';
import type { Need } from '../../load/preview.ts';
import { previewProfile } from '../../load/preview.ts';
import { profiles } from '../../load/profiles/index.ts';
import { defaultSoak } from '../../load/profiles/over-time.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { entry } from '../../spec/register.ts';
import { table } from './blocks.ts';

/** The plans of the specification whose numbers are known. */
const PLANS = ['free', 'pro', 'business'];

/** Every load profile with what it sends under each plan; a fleet is shown with one key. */
export function loadProfiles(): string {
  const head = [
    'Profile',
    'What it does',
    'Why',
    'Free',
    'Pro',
    'Business',
    'Duration',
    'Ban risk',
    'Expectations',
  ];
  return table(head, profiles.map(row));
}

/** The meaning of each expectation. */
export function loadExpectations(): string {
  const used = new Set(profiles.flatMap(({ expects }) => expects));
  return table(
    ['Expectation', 'What must hold'],
    [...used].map((id) => [`\`${id}\``, entry(id).sentence]),
  );
}

function row(profile: Profile): readonly string[] {
  const previews = PLANS.map((plan) => {
    const limits = limitsOf(loadPlans(), plan);
    return previewProfile(profile, { limits, fleet: 1, minutes: defaultSoak(limits) });
  });
  const requests = previews.map(({ keys }) =>
    keys.map(({ key, requests: count }) => `${groupedNumber(count)} ${nameOf(key)}`.trim()).join(' + '),
  );
  const seconds = previews.map(({ seconds: { expected } }) => durationText(expected));
  const needed = previews[0]?.needs.map((need) => NEEDS[need]) ?? [];
  const needs = needed.length === 0 ? '' : ` Needs ${needed.join(' and ')}.`;
  return [
    `\`${profile.id}\``,
    `${profile.description}${needs}`,
    profile.why,
    ...requests,
    new Set(seconds).size === 1 ? (seconds[0] ?? '') : seconds.join(', '),
    previews[0]?.banRisk ?? '',
    profile.expects.map((id) => `\`${id}\``).join(' '),
  ];
}

const NEEDS: Readonly<Record<Need, string>> = {
  'other key': 'a key of another caller',
  'disposable key': 'a key that may get banned',
  'whole day': 'permission to use a whole day’s quota',
};

/** The key under test needs no name, and the fleet in this table has one key. */
const nameOf = (alias: string): string => (alias === 'key' || alias === 'fleet-1' ? '' : `(${alias})`);

function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return `${Math.round(seconds / 60)} min`;
}
