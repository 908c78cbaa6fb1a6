import { groupedNumber } from '../../kernel/basics/text.ts';
import type { Verdict } from '../../kernel/findings/record.ts';
import { clientLibraries } from '../../suites/client/libraries/index.ts';
import { table } from '../../tools/docs/blocks.ts';
import { readResults } from '../study.ts';
import type { LibraryResult, LibrarySubject, Mode } from '../third-party/libraries/subjects.ts';
import { MODES, subjects, versionsOf } from '../third-party/libraries/subjects.ts';
import type { ClientRequirement } from './catalogue/client.ts';
import { conformingClients, faultyClients } from './catalogue/index.js';
import type { CatalogueClient, ClientCertificate } from './certify.ts';
import { REQUIREMENTS } from './certify.ts';
import type { SimulatedResult } from './simulation/simulate.ts';

type Row = readonly string[];

const readClientMatrix = () => readResults<ClientCertificate>('clients/matrix');
const readLibraries = () => readResults<LibraryResult>('third-party/libraries');

const MARKS: Readonly<Record<string, string>> = {
  fail: '●',
  warn: '○',
  inconclusive: '?',
  pass: '',
  'not-tested': '–',
};

const verdictCells = (certificate: ClientCertificate | undefined): Row => [
  ...REQUIREMENTS.map((id) => MARKS[certificate?.verdicts[id].verdict ?? 'not-tested'] ?? ''),
  certificate?.advice.join(', ') || '–',
];

/** What was measured of the faulty clients of the catalogue. */
export function faultyClientTable(): string {
  const measured = readClientMatrix();
  const rows = faultyClients.map((one) => [...named(one), one.seenIn, ...verdictCells(measured[one.id])]);
  const heads = ['Client', 'What it does', 'Seen in', ...REQUIREMENTS, 'Advice'];
  return [clientMatrixSummary(), table(heads, rows)].join('\n\n');
}

/** What was measured of the conforming clients that look faulty. */
export function conformingClientTable(): string {
  const measured = readClientMatrix();
  const rows = conformingClients.map((one) => [...named(one), ...verdictCells(measured[one.id])]);
  return table(['Client', 'What it does', ...REQUIREMENTS, 'Advice'], rows);
}

const named = ({ id, description, open }: CatalogueClient): readonly string[] => [
  `\`${id}\``,
  open === null
    ? description
    : `${description} (${open.requirements.join(', ')} may stay open: ${open.because}.)`,
];

/** What the measurement of the catalogue shows, in one sentence. */
function clientMatrixSummary(): string {
  const measured = readClientMatrix();
  const verdicts = (id: string): readonly string[] =>
    Object.values(measured[id]?.verdicts ?? {}).map(({ verdict }) => verdict);
  const found = faultyClients.filter(({ id }) =>
    verdicts(id).some((one) => one === 'fail' || one === 'warn'),
  );
  const advised = faultyClients.filter(
    (client) => !found.includes(client) && (measured[client.id]?.advice.length ?? 0) > 0,
  );
  const failed = conformingClients.filter(({ id }) => verdicts(id).includes('fail'));
  const missed = faultyClients.length - found.length - advised.length;
  return `Of ${faultyClients.length} faulty clients, ${found.length} get \`fail\` or \`warn\`, ${advised.length} get advice alone, because the specification does not forbid what they do, and ${missed} stay open. Of ${conformingClients.length} conforming clients, ${failed.length} get a \`fail\`.`;
}

/** What was measured of each library, as it is shipped and as it is configured. */
export function libraryTable(): string {
  const measured = readLibraries();
  const rows = subjects.map((subject) => {
    const [shipped, configured] = MODES.map((mode) => measured[`${subject.id} ${mode}`]);
    return [
      LANGUAGES[subject.language],
      titleOf(subject),
      versionsOf(subject, configured?.runtime ?? shipped?.runtime ?? 'not measured'),
      ...verdictCells(shipped),
      outcomeOf(configured),
    ];
  });
  const heads = ['Language', 'Library', 'Version', ...REQUIREMENTS, 'Advice', 'Configured'];
  return [librarySummary(), table(heads, rows)].join('\n\n');
}

const LANGUAGES = { node: 'Node', python: 'Python', go: 'Go', java: 'Java', sh: 'Shell' } as const;

const titleOf = ({ name, shipped }: LibrarySubject): string =>
  shipped === '' ? name : `${name}, ${shipped}`;

function outcomeOf(certificate: ClientCertificate | undefined): string {
  if (certificate === undefined) return 'not measured';
  if (certificate.outcome === 'conforms') return 'conforms';
  const short = REQUIREMENTS.filter((id) => certificate.verdicts[id].verdict !== 'pass');
  return short.map((id) => `${id} ${certificate.verdicts[id].verdict}`).join(', ');
}

/** The fix for each library. */
export const libraryFixTable = (): string =>
  table(
    ['Library', 'Version', 'Fix'],
    clientLibraries.map(({ name, version, fix }) => [name, version, fix]),
  );

/** How many libraries conform in each mode, in one sentence. */
function librarySummary(): string {
  const measured = readLibraries();
  const inMode = (mode: Mode): readonly ClientCertificate[] =>
    subjects.flatMap(({ id }) => measured[`${id} ${mode}`] ?? []);
  const conforming = (mode: Mode): number =>
    inMode(mode).filter(({ outcome }) => outcome === 'conforms').length;
  const fails = (id: ClientRequirement): number =>
    inMode('shipped').filter(({ verdicts }) => verdicts[id].verdict === 'fail').length;
  return `Of ${inMode('shipped').length} libraries, ${conforming('shipped')} conform as they are shipped (${fails('CLIENT-1')} do not wait for Retry-After, ${fails('CLIENT-2')} show no backoff), and ${conforming('configured')} as they are configured here.`;
}

/** What the judges find in simulated clients that conform, and in those with a fault. */
export function clientSimulation(): string {
  const all = Object.entries(readResults<SimulatedResult>('clients/simulation'));
  const conforming = all.filter(([, { violates }]) => violates.length === 0);
  const faulty = all.filter(([, { violates }]) => violates.length > 0);
  const clients = conforming.reduce((sum, [, one]) => sum + one.clients, 0);
  const failed = conforming.reduce((sum, [, one]) => sum + one.falseFails, 0);
  return [
    `Of ${groupedNumber(clients)} simulated clients that conform, ${failed === 0 ? 'none' : failed} received a \`fail\`.`,
    table(
      ['Client that conforms', 'Clients', 'False fail', 'CLIENT-1', 'CLIENT-2', 'CLIENT-3'],
      conforming.map(conformingRow),
    ),
    table(
      ['Client with a fault', 'Clients', 'Violates', 'Found', 'Inconclusive', 'Missed', 'False fail'],
      faulty.flatMap(faultyRows),
    ),
  ].join('\n\n');
}

/** The name of a kind of client, and what came out. */
type Named = readonly [name: string, result: SimulatedResult];

const conformingRow = ([name, result]: Named): readonly string[] => [
  name,
  groupedNumber(result.clients),
  String(result.falseFails),
  ...['CLIENT-1', 'CLIENT-2', 'CLIENT-3'].map((id) => verdictsText(result, id)),
];

/** One row for each requirement that a kind of client violates. */
const faultyRows = ([name, result]: Named): readonly (readonly string[])[] =>
  result.violates.map((id) => [
    name,
    groupedNumber(result.clients),
    id,
    share(result, id, 'fail'),
    share(result, id, 'inconclusive'),
    share(result, id, 'pass', 'warn'),
    String(result.falseFails),
  ]);

const SHOWN: readonly Verdict[] = ['pass', 'warn', 'inconclusive', 'fail'];

const verdictsText = (result: SimulatedResult, id: string): string =>
  SHOWN.filter((verdict) => (result.verdicts[id]?.[verdict] ?? 0) > 0)
    .map((verdict) => `${verdict} ${share(result, id, verdict)}`)
    .join(', ');

/** The share of the clients with one of these verdicts. */
function share({ clients, verdicts }: SimulatedResult, id: string, ...wanted: readonly Verdict[]): string {
  const count = wanted.reduce((sum, verdict) => sum + (verdicts[id]?.[verdict] ?? 0), 0);
  return `${((100 * count) / clients).toFixed(1)} %`;
}
