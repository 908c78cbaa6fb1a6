import { readResults } from '../../study.ts';
import type { Found } from '../breaks/break.ts';
import { sentences } from '../breaks/break.ts';
import { services } from '../services.ts';
import type { Measured, ServiceResult } from './measure.ts';
import { measuredBreaks } from './measure.ts';

type Row = readonly string[];

const resultOf = (name: string): ServiceResult | undefined =>
  readResults<ServiceResult>('third-party/certify')[name];

/** One row for each service: its runs as it conforms, and what became of its breaks. */
export function serviceRows(): readonly Row[] {
  const rows = services.map((service) => {
    const result = resultOf(service.name);
    const all = measuredBreaks(service, result);
    const conforming = result?.conforming ?? [];
    return {
      name: `\`${service.name}\``,
      numbers: [
        conforming.length,
        conforming.filter(({ outcome }) => outcome === 'conforms').length,
        conforming.filter(({ fails }) => fails.length > 0).length + all.filter(became('false fail')).length,
        all.filter(({ one }) => one.deserved.verdict !== 'no fail').length,
        all.filter(became('caught')).length,
        all.filter(became('missed')).length,
        all.filter(became('left open')).length,
      ],
    };
  });
  const sums = rows[0]?.numbers.map((_, column) =>
    rows.reduce((sum, { numbers }) => sum + (numbers[column] ?? 0), 0),
  );
  return [
    ...rows.map(({ name, numbers }) => [name, ...numbers.map(String)]),
    ['in all', ...(sums ?? []).map(String)],
  ];
}

const became =
  (what: Found) =>
  ({ found }: Measured): boolean =>
    found === what;

/** One row for each violation that no requirement showed, and why. */
export function missedRows(): readonly Row[] {
  return services.flatMap((service) =>
    measuredBreaks(service, resultOf(service.name))
      .filter(became('missed'))
      .map(({ one }) => [
        `\`${service.name}\``,
        `\`${one.id}\``,
        one.description,
        one.missed ?? 'not known yet',
      ]),
  );
}

/** One table for each service: every break, the sentence it rests on, and its verdicts. */
export function breakRows(): readonly { readonly name: string; readonly rows: readonly Row[] }[] {
  return services.map((service) => ({
    name: service.name,
    rows: measuredBreaks(service, resultOf(service.name)).map(({ one, certificate, found }) => [
      `\`${one.id}\``,
      one.description,
      quoted(sentences[one.sentence]),
      one.deserved.verdict === 'no fail'
        ? 'no fail'
        : `${one.deserved.verdict}: ${one.deserved.ids.join(' or ')}`,
      found,
      certificate.outcome,
      certificate.fails.join(', ') || '–',
      certificate.warns.join(', ') || '–',
    ]),
  }));
}

/** A sentence of the specification in a cell of a table, without the marks of its own table. */
const quoted = (sentence: string): string => sentence.replaceAll('|', '·').replace(/^[\s·]+|[\s·]+$/g, '');
