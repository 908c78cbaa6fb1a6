import { table } from '../../../tools/docs/blocks.ts';
import { readResults } from '../../study.ts';
import type { Found } from '../breaks/break.ts';
import { sentences } from '../breaks/break.ts';
import type { CertifiedService } from '../services.ts';
import { services } from '../services.ts';
import type { Measured, ServiceResult } from './measure.ts';
import { measuredBreaks } from './measure.ts';

const resultOf = (name: string): ServiceResult | undefined =>
  readResults<ServiceResult>('third-party/certify')[name];

const SERVICE_HEADS = [
  ...['Service', 'Runs as it conforms', 'of these: conforms', 'False fails'],
  ...['Violations', 'Caught', 'Missed', 'Left open, no fail'],
];

/** One row for each service: its runs as it conforms, and what became of its breaks; and one for all of them. */
export const serviceTable = (): string =>
  table(SERVICE_HEADS, [
    ...services.map((one) => [`\`${one.name}\``, ...countsOf([one])]),
    ['in all', ...countsOf(services)],
  ]);

function countsOf(some: readonly CertifiedService[]): readonly string[] {
  const conforming = some.flatMap(({ name }) => resultOf(name)?.conforming ?? []);
  const breaks = some.flatMap((one) => measuredBreaks(one, resultOf(one.name)));
  return [
    conforming,
    conforming.filter(({ outcome }) => outcome === 'conforms'),
    [...conforming.filter(({ fails }) => fails.length > 0), ...breaks.filter(became('false fail'))],
    breaks.filter(({ one }) => one.deserved.verdict !== 'no fail'),
    ...(['caught', 'missed', 'left open'] as const).map((what) => breaks.filter(became(what))),
  ].map(({ length }) => String(length));
}

const became =
  (what: Found) =>
  ({ found }: Measured): boolean =>
    found === what;

/** One row for each violation that no requirement showed, and why. */
export function missedTable(): string {
  const rows = services.flatMap((service) =>
    measuredBreaks(service, resultOf(service.name))
      .filter(became('missed'))
      .map(({ one: { id, description, missed = 'not known yet' } }) => [
        ...[`\`${service.name}\``, `\`${id}\``, description, missed],
      ]),
  );
  return table(['Service', 'Break', 'What the service does', 'Why it is missed'], rows);
}

const BREAK_HEADS = [
  ...['Break', 'What the service does', 'Sentence', 'Deserves', 'Result'],
  ...['Outcome', 'Fail', 'Warn'],
];

/** One table for each service: every break, the sentence it rests on, and its verdicts. */
export const breakTables = (): string =>
  services
    .map((service) => {
      const rows = measuredBreaks(service, resultOf(service.name)).map(({ one, certificate, found }) => [
        ...[`\`${one.id}\``, one.description, quoted(sentences[one.sentence])],
        one.deserved.verdict === 'no fail'
          ? 'no fail'
          : `${one.deserved.verdict}: ${one.deserved.ids.join(' or ')}`,
        ...[found, certificate.outcome],
        ...[certificate.fails, certificate.warns].map((ids) => ids.join(', ') || '–'),
      ]);
      return `### ${service.name}\n\n${table(BREAK_HEADS, rows)}`;
    })
    .join('\n\n');

/** A sentence of the specification in a cell of a table, without the marks of its own table. */
const quoted = (sentence: string): string => sentence.replaceAll('|', '·').replace(/^[\s·]+|[\s·]+$/g, '');
