import { readResults } from '../study.ts';
import type { OutsiderResult } from './certify-service.ts';
import { outsiders } from './index.ts';
import { sentences } from './outsider.ts';
import type { Found, Measured } from './verdict.ts';
import { measuredBreaks } from './verdict.ts';

type Row = readonly string[];

const resultOf = (name: string): OutsiderResult | undefined => readResults<OutsiderResult>('outsiders')[name];

/** One row for each service: what it is made of, its runs as it conforms, and what became of its breaks. */
export function serviceRows(): readonly Row[] {
  const rows = outsiders.map((outsider) => {
    const result = resultOf(outsider.name);
    const all = measuredBreaks(outsider, result);
    const conforming = result?.conforming ?? [];
    return {
      head: [
        `[\`${outsider.name}\`](outsiders/services/${outsider.name}/)`,
        outsider.language,
        outsider.framework,
        outsider.libraries.join(', '),
        outsider.limiter,
      ],
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
    ...rows.map(({ head, numbers }) => [...head, ...numbers.map(String)]),
    ['in all', '', '', '', '', ...(sums ?? []).map(String)],
  ];
}

const became =
  (what: Found) =>
  ({ found }: Measured): boolean =>
    found === what;

/** One row for each violation that no requirement showed, and why. */
export function missedRows(): readonly Row[] {
  return outsiders.flatMap((outsider) =>
    measuredBreaks(outsider, resultOf(outsider.name))
      .filter(became('missed'))
      .map(({ one }) => [
        `\`${outsider.name}\``,
        `\`${one.id}\``,
        one.description,
        one.missed ?? 'not known yet',
      ]),
  );
}

/** One table for each service: every break, the sentence it rests on, and its verdicts. */
export function breakRows(): readonly { readonly name: string; readonly rows: readonly Row[] }[] {
  return outsiders.map((outsider) => ({
    name: outsider.name,
    rows: measuredBreaks(outsider, resultOf(outsider.name)).map(({ one, certificate, found }) => [
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
