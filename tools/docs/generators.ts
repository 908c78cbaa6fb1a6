import type { LoadDeterminismResult } from '../../evaluation/determinism/load/repeat-load.ts';
import type { DeterminismResult } from '../../evaluation/determinism/repeat.ts';
import { attacks as everyAttack } from '../../evaluation/hostile/attacks/index.ts';
import { costBoundsOf } from '../../evaluation/hostile/bounds.ts';
import { accidents } from '../../evaluation/nothing-lost/accidents.ts';
import { readResults } from '../../evaluation/results.ts';
import { detectionTable, falseFailTable, statisticsSummary } from '../../evaluation/statistics/tables.ts';
import { describeFaults } from '../../reference-server/catalogue/faults/index.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { register } from '../../spec/register.ts';
import { probes } from '../../suites/service/probes/index.ts';
import { planRun } from '../../suites/service/run/plan.ts';
import type { Generator } from './blocks.ts';
import { table } from './blocks.ts';
import { clientSimulation } from './client-simulation.ts';
import { clientLibraries, clientLibraryFixes, conformingClients, faultyClients } from './clients.ts';
import { foldersIn, topFolders } from './folders.ts';
import { glossary } from './glossary.ts';
import { loadExpectations, loadProfiles } from './load-profiles.ts';
import { optionTables } from './options.ts';
import { missedByOutsiders, outsiderBreaks, outsiderTable } from './outsiders.ts';
import { thirdPartyTable } from './third-parties.ts';
import { variants } from './variants.ts';

/** Every generated block of the documents. A document includes a block with a pair of markers. */
export const generators: readonly Generator[] = [
  { name: 'folders', render: topFolders },
  ...['suites/service', 'suites/client', 'load'].map((parent) => ({
    name: `folders-${parent.replace('/', '-')}`,
    render: () => foldersIn(parent),
  })),
  { name: 'glossary', render: glossary },
  { name: 'requirements', render: requirements },
  { name: 'faults', render: faults },
  { name: 'variants', render: variants },
  { name: 'third-parties', render: thirdPartyTable },
  { name: 'outsiders', render: outsiderTable },
  { name: 'outsiders-missed', render: missedByOutsiders },
  { name: 'outsiders-breaks', render: outsiderBreaks },
  { name: 'clients-faulty', render: faultyClients },
  { name: 'clients-conforming', render: conformingClients },
  { name: 'client-libraries', render: clientLibraries },
  { name: 'client-library-fixes', render: clientLibraryFixes },
  { name: 'probes', render: probeTable },
  { name: 'statistics', render: statistics },
  { name: 'attacks', render: attacks },
  { name: 'accidents', render: everyAccident },
  { name: 'client-simulation', render: clientSimulation },
  { name: 'determinism', render: determinism },
  { name: 'determinism-load', render: loadDeterminism },
  ...optionTables,
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
      judged === 'by certify-client' ? `${level}, judged by \`certify-client\`` : level,
      sentence,
      `[${from.section}](interface-specification.md#${from.section})${'rfc' in from ? `, ${from.rfc}` : ''}`,
    ]);
  return `### ${chapter}\n\n${table(['Id', 'Level', 'Requirement', 'Rests on'], rows)}`;
}

function faults(): string {
  const rows = describeFaults().map(({ id, chapter, description, breaks, warnings, undecidable, seenIn }) => [
    `\`${id}\``,
    chapter,
    description,
    breaks.join(', ') || (undecidable === undefined ? '–' : 'undecidable'),
    warnings.join(', ') || '–',
    seenIn,
  ]);
  return table(['Fault', 'Chapter', 'What the server does', 'fail', 'warn', 'Seen in'], rows);
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
    thorough: false,
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

/** What each hostile target does, how the run ends, and what it may cost. */
function attacks(): string {
  const rows = everyAttack.map((attack) => {
    const { megabytes, cpuSeconds } = costBoundsOf(attack);
    return [
      `\`${attack.id}\`${attack.slow === true ? ' (*slow*)' : ''}`,
      attack.description,
      attack.expected,
      attack.exitCodes.join(' or '),
      `${megabytes} MB, ${cpuSeconds} s`,
    ];
  });
  return table(
    ['Attack', 'The target', 'How the run ends', 'Exit code', 'Memory and CPU time, at most'],
    rows,
  );
}

/** Damage to a run or its journal, and what is still there afterwards. */
function everyAccident(): string {
  const rows = Object.values(accidents).map(({ description, expected }) => [description, expected]);
  return table(['Accident', 'What is there afterwards'], rows);
}

/** How many runs against one server came to the same verdicts, as last measured. */
function determinism(): string {
  const rows = Object.entries(readResults<DeterminismResult>('determinism')).map(
    ([algorithm, { runs, equal, outcome, minuteSeconds, seconds }]) => [
      `\`${algorithm}\``,
      `${equal} of ${runs}`,
      outcome,
      `${minuteSeconds} s`,
      `${seconds} s`,
    ],
  );
  return table(['Algorithm', 'Equal in every verdict', 'Outcome', 'Window', 'Duration of all runs'], rows);
}

/** How many runs of each load profile came to the same verdicts, as last measured. */
function loadDeterminism(): string {
  const rows = Object.values(readResults<LoadDeterminismResult>('determinism/load')).map(
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
    ['Profile', 'The server', 'Equal in every expectation', 'Verdict', 'Window', 'Duration of all runs'],
    rows,
  );
}

/** The committed results of `npm run evaluate -- statistics`. */
function statistics(): string {
  const [falseFails, detection] = [falseFailTable(), detectionTable()];
  return [
    statisticsSummary(),
    table(falseFails.heads, falseFails.rows),
    table(detection.heads, detection.rows),
  ].join('\n\n');
}
