import { describeFaults } from '../../catalogue/index.ts';
import { readLoadMeasured } from '../../evaluation/determinism/load/results.ts';
import { readMeasured } from '../../evaluation/determinism/results.ts';
import { attacks as everyAttack } from '../../evaluation/hostile/attacks/index.ts';
import { boundsOf } from '../../evaluation/hostile/bounds.ts';
import { accidents } from '../../evaluation/nothing-lost/accidents.ts';
import { conformingTable, faultTable, summary } from '../../evaluation/statistics/tables.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { register } from '../../spec/register.ts';
import { planRun, probes } from '../../suites/index.ts';
import type { Generator } from './blocks.ts';
import { table } from './blocks.ts';
import { loadExpectations, loadProfiles } from './load-profiles.ts';
import { thirdParties } from './third-parties.ts';
import { variants } from './variants.ts';

/** Every generated block of the documents. A document takes one by its markers, wherever it likes. */
export const generators: readonly Generator[] = [
  { name: 'requirements', render: requirements },
  { name: 'faults', render: faults },
  { name: 'variants', render: variants },
  { name: 'third-parties', render: thirdParties },
  { name: 'probes', render: probeTable },
  { name: 'statistics', render: statistics },
  { name: 'attacks', render: attacks },
  { name: 'accidents', render: everyAccident },
  { name: 'determinism', render: determinism },
  { name: 'determinism-load', render: loadDeterminism },
  { name: 'load-profiles', render: loadProfiles },
  { name: 'load-expectations', render: loadExpectations },
];

function requirements(): string {
  const chapters = [...new Set(register.map(({ chapter }) => chapter))];
  return chapters.map(chapterOfRequirements).join('\n\n');
}

function chapterOfRequirements(chapter: string): string {
  const rows = register
    .filter((one) => one.chapter === chapter)
    .map(({ id, level, sentence, from, judged }) => [
      id,
      judged === 'elsewhere' ? `${level}, judged elsewhere` : level,
      sentence,
      `[${from.section}](interface-specification.md#${from.section})${'rfc' in from ? `, ${from.rfc}` : ''}`,
    ]);
  return `### ${chapter}\n\n${table(['Id', 'Level', 'Requirement', 'Rests on'], rows)}`;
}

function faults(): string {
  const rows = describeFaults().map(({ id, chapter, says, breaks, warns, undecidable, seen }) => [
    `\`${id}\``,
    chapter,
    says,
    breaks.join(', ') || (undecidable === undefined ? '–' : 'nothing, as proven'),
    warns.join(', ') || '–',
    seen,
  ]);
  return table(['Fault', 'Chapter', 'What the server does', 'Turns red', 'Warns', 'Seen in the field'], rows);
}

/** What each probe sends for a Free key, with every optional input given. */
function probeTable(): string {
  const { probes: planned, total } = planRun(probes, {
    tag: 'table',
    plan: 'free',
    limits: limitsOf(loadPlans(), 'free'),
    otherKey: true,
    exhaustedKey: true,
    disposableKey: false,
    exclusiveKey: false,
    openapi: undefined,
    furtherPlans: [],
  });
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

/** What a hostile target does, what comes of it, and what it may cost. */
function attacks(): string {
  const rows = everyAttack.map((attack) => {
    const { megabytes, cpuSeconds } = boundsOf(attack);
    return [
      `\`${attack.id}\`${attack.long === true ? ' (*long*)' : ''}`,
      attack.does,
      attack.ends,
      attack.codes.join(' or '),
      `${megabytes} MB, ${cpuSeconds} s`,
    ];
  });
  return table(['Attack', 'The target', 'What comes of it', 'Exit code', 'Memory, CPU time at most'], rows);
}

/** What may befall a run or its journal, and what is left of it. */
function everyAccident(): string {
  const rows = Object.values(accidents).map(({ happens, left }) => [happens, left]);
  return table(['What happens', 'What is left'], rows);
}

/** How many of the examinations of one server came to the same verdicts, as last measured. */
function determinism(): string {
  const rows = readMeasured().map(({ algorithm, runs, equal, outcome, minuteSeconds, seconds }) => [
    `\`${algorithm}\``,
    `${equal} of ${runs}`,
    outcome,
    `${minuteSeconds} s`,
    `${seconds} s`,
  ]);
  return table(['Algorithm', 'Equal in every verdict', 'Outcome', 'Window', 'All of them took'], rows);
}

/** How many runs of each load profile came to the same verdicts, as last measured. */
function loadDeterminism(): string {
  const rows = readLoadMeasured().map(
    ({ profile, fault, runs, equal, verdict, failed, minuteSeconds, seconds }) => [
      `\`${profile}\``,
      fault === null ? 'conforms' : `\`${fault}\``,
      `${equal} of ${runs}`,
      [verdict, ...failed.map((id) => `\`${id}\``)].join(' '),
      `${minuteSeconds} s`,
      `${seconds} s`,
    ],
  );
  return table(
    ['Profile', 'The server', 'Equal in every expectation', 'Verdict', 'Window', 'All of them took'],
    rows,
  );
}

/** What the long proof found when it was last run and committed. */
function statistics(): string {
  const [services, found] = [conformingTable(), faultTable()];
  return `${summary()}\n\n${table(services.heads, services.rows)}\n\n${table(found.heads, found.rows)}`;
}
