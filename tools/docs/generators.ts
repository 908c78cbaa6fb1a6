import {
  clientSimulation,
  conformingClientTable,
  faultyClientTable,
  libraryFixTable,
  libraryTable,
} from '../../evaluation/clients/tables.ts';
import type { DeterminismResult } from '../../evaluation/determinism/main.ts';
import { subjects as repeatables } from '../../evaluation/determinism/subjects.ts';
import type { Compared, ComparedSets } from '../../evaluation/load/compare-sets/tally.ts';
import { runInputs } from '../../evaluation/simulation/virtual-run.ts';
import { statistics } from '../../evaluation/statistics/tally.ts';
import { readResults } from '../../evaluation/study.ts';
import { breakTables, missedTable, serviceTable } from '../../evaluation/third-party/certify/tables.ts';
import {
  healthyTable,
  loadFaultTable,
  loadMatrixSummary,
  wentWrong,
} from '../../evaluation/third-party/load/tables.ts';
import { groupedNumber } from '../../kernel/basics/text.ts';
import type { Profile } from '../../load/model/profile.ts';
import type { Need } from '../../load/preview.ts';
import { previewProfile } from '../../load/preview.ts';
import { profiles } from '../../load/profiles/index.ts';
import { defaultSoak } from '../../load/profiles/over-time.ts';
import { describeVariants } from '../../reference-server/catalogue/variants/index.ts';
import type { TopicId } from '../../reference-server/catalogue/variants/topics.ts';
import { testedElsewhere, topics } from '../../reference-server/catalogue/variants/topics.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { entry } from '../../spec/register.ts';
import { probes } from '../../suites/service/probes/index.ts';
import { planRun } from '../../suites/service/run/plan.ts';
import type { Generators } from './blocks.ts';
import { table } from './blocks.ts';
import { chapterList, optionTables } from './requirement-pages.ts';

const idsOrDash = (ids: readonly string[]): string => ids.join(', ') || '–';

/** All conforming variants, and where the topics are tested that have none. */
function variants(): string {
  const shown = describeVariants().map(
    ({ id, topic, description, outcome, warnings, inconclusive, because, seenIn }) => [
      topic,
      `\`${id}\``,
      description,
      outcome,
      idsOrDash(warnings),
      because === null ? '–' : `${idsOrDash(inconclusive)}: ${because}`,
      seenIn,
    ],
  );
  const elsewhere = Object.entries(testedElsewhere).map(([topic, tests]) => [
    topic,
    topics[topic as TopicId],
    tests,
  ]);
  return [
    table(
      ['Topic', 'Variant', 'What the server does', 'Expected outcome', 'warn', 'inconclusive', 'Seen in'],
      shown,
    ),
    'Topics without a variant of their own:',
    table(['Topic', 'About', 'Tested by'], elsewhere),
  ].join('\n\n');
}

/** What was compared of two kinds of sets of load runs, and how. */
const comparedSets = (...kinds: readonly ComparedSets[]): string => {
  const results = readResults<Compared>('load/compare-sets');
  const heads = ['Sets', 'Runs in a set', 'Comparisons', 'Regression', 'Undecided', 'No regression'];
  const rows = kinds.flatMap((kind) =>
    (results[kind] ?? []).map(({ what, runs, comparisons, regression, undecided, none }) => [
      `${kind.split('-')[0]}: ${what}`,
      ...[runs, comparisons, regression, undecided, none].map(String),
    ]),
  );
  return table(heads, rows);
};

/** Every generated block of the documents. A document includes a block with a pair of markers. */
export const generators: Generators = {
  chapters: chapterList,
  variants,
  outsiders: serviceTable,
  'outsiders-missed': missedTable,
  'outsiders-breaks': breakTables,
  'load-outsiders-summary': loadMatrixSummary,
  'load-outsiders-faults': loadFaultTable,
  'load-outsiders-conforming': healthyTable,
  'load-outsiders-wrong': wentWrong,
  'compare-equal': () => comparedSets('real-equal', 'simulated-equal'),
  'compare-worse': () => comparedSets('simulated-worse'),
  'clients-faulty': faultyClientTable,
  'clients-conforming': conformingClientTable,
  'client-libraries': libraryTable,
  'client-library-fixes': libraryFixTable,
  probes: probeTable,
  statistics,
  'client-simulation': clientSimulation,
  determinism: () => determinism('service'),
  'determinism-load': () => determinism('load'),
  ...optionTables,
  'load-profiles': loadProfiles,
  'load-expectations': loadExpectations,
};

/** What each probe sends for a Free key, with every optional input given. */
function probeTable(): string {
  const { probes: planned, total } = planRun(probes, runInputs({ exhaustedKey: true }));
  const rows = planned.map(({ probe, cost }) => [
    `\`${probe.id}\``,
    probe.description,
    ...[cost.withKey, cost.withOtherKeys, cost.unauthenticated].map((requests) =>
      requests === 0 ? '' : String(requests),
    ),
  ]);
  const sum = [
    '',
    'in all',
    String(total.withKey),
    String(total.withOtherKeys),
    String(total.unauthenticated),
  ];
  return table(['Probe', 'What it sends', 'With the key', 'Other keys', 'Without a key'], [...rows, sum]);
}

/** How many runs of the suites, or of load profiles, came to the same verdicts, as last measured. */
function determinism(kind: 'service' | 'load'): string {
  const results = readResults<DeterminismResult>('determinism');
  const rows = repeatables.flatMap((one) => {
    const found = one.kind === kind ? results[one.name] : undefined;
    if (found === undefined) return [];
    const { runs, equal, outcome, failed, minuteSeconds, seconds } = found;
    const said = [outcome, ...failed.map((id) => `\`${id}\``)].join(' ');
    const name = one.name.replaceAll(/\S+/g, '`$&`');
    return [[name, `${equal} of ${runs}`, said, `${minuteSeconds} s`, `${seconds} s`]];
  });
  const subject = { service: 'Algorithm', load: 'Profile, and what the server has' }[kind];
  return table([subject, 'Equal in every verdict', 'Outcome', 'Window', 'Duration of all runs'], rows);
}

/** The plans of the specification whose numbers are known. */
const PLANS = ['free', 'pro', 'business'];

/** Every load profile with what it sends under each plan; a fleet is shown with one key. */
function loadProfiles(): string {
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
function loadExpectations(): string {
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
