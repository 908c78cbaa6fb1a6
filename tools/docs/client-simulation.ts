import type { SimulatedResult } from '../../evaluation/clients/simulation/simulate.ts';
import { readResults } from '../../evaluation/study.ts';
import { groupedNumber } from '../../kernel/basics/text.ts';
import type { Verdict } from '../../kernel/findings/record.ts';
import { table } from './blocks.ts';

/** What the judges find in simulated clients that conform, and in those with a fault. */
export function clientSimulation(): string {
  const all = Object.entries(readResults<SimulatedResult>('clients/simulation')).map(([name, result]) => ({
    name,
    ...result,
  }));
  const conforming = all.filter(({ violates }) => violates.length === 0);
  const faulty = all.filter(({ violates }) => violates.length > 0);
  const clients = conforming.reduce((sum, one) => sum + one.clients, 0);
  const failed = conforming.reduce((sum, one) => sum + one.falseFails, 0);
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

interface Named extends SimulatedResult {
  readonly name: string;
}

const conformingRow = (result: Named): readonly string[] => [
  result.name,
  groupedNumber(result.clients),
  String(result.falseFails),
  ...['CLIENT-1', 'CLIENT-2', 'CLIENT-3'].map((id) => verdictsText(result, id)),
];

/** One row for each requirement that a kind of client violates. */
const faultyRows = (result: Named): readonly (readonly string[])[] =>
  result.violates.map((id) => [
    result.name,
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
