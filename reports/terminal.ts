import { createColors } from 'picocolors';
import { greatest } from '../kernel/exchanges/collections.ts';
import type { Verdict } from '../kernel/findings/record.ts';
import { bounded, visibleLine } from './written.ts';

export interface VerdictStyle {
  /** Whether the terminal shows colours; without them the words are the same. */
  readonly colour: boolean;
  readonly width: number;
}

/** A terminal: how many of its columns are used, and its colours, which may be none. */
export interface Screen {
  readonly columns: number;
  readonly colours: ReturnType<typeof createColors>;
}

type Paint = (text: string) => string;

const NARROWEST = 40;
const WIDEST = 110;

export const screenOf = ({ colour, width }: VerdictStyle): Screen => ({
  columns: Math.min(Math.max(Math.floor(width) || 0, NARROWEST), WIDEST),
  colours: createColors(colour),
});

export const paintOf = (verdict: Verdict, { colours }: Screen): Paint =>
  ({
    fail: colours.red,
    inconclusive: colours.magenta,
    warn: colours.yellow,
    pass: colours.green,
    'not-tested': colours.dim,
  })[verdict];

/** Characters of one text: more of it is in the report. */
const TEXT_LIMIT = 1200;

/** Bounded, with every character visible, and without the `##…[` that some build servers obey anywhere in a line. */
export const tame = (text: string): string =>
  visibleLine(bounded(text, TEXT_LIMIT)).replace(/##(?=[\w-]*\[)/g, '# #');

/** Rows as aligned columns: figures to the right, the first and the last column, which hold words, to the left. */
export function figureColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => greatest(rows.map((row) => row[at]?.length ?? 0)));
  const width = (at: number): number => widths[at] ?? 0;
  return rows.map((row) =>
    row
      .map((cell, at) =>
        at === 0 || at === row.length - 1 ? cell.padEnd(width(at)) : cell.padStart(width(at)),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Texts beneath a head, joined to it by a bar in its colour. */
export function framed(
  head: string,
  texts: readonly string[],
  paint: Paint,
  { columns, colours }: Screen,
): readonly string[] {
  const [first = '', ...rest] = wrapped(head, columns - 2);
  return [
    paint(colours.bold(first)),
    ...rest.map((line) => paint(`│ ${colours.bold(line)}`)),
    ...texts.flatMap((text) => wrapped(text, columns - 2)).map((line) => `${paint('│')} ${line}`),
  ];
}

/** A text over as many lines as it needs, of which only the first begins as it does. */
export function hanging(text: string, { columns }: Screen): readonly string[] {
  const [first = '', ...rest] = wrapped(text, columns - 2);
  return [first, ...rest.map((line) => `│ ${line}`)];
}

/**
 * Text in lines of at most `columns` characters. A long word is divided. Written here, because
 * wrap-ansi 10 takes time that grows faster than the text, and the text may be a target's.
 */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line: readonly string[] = [];
  for (const word of text.split(/ +/).flatMap((long) => pieces([...long], columns))) {
    if (line.length > 0 && line.length + 1 + word.length <= columns) line = [...line, ' ', ...word];
    else {
      if (line.length > 0) lines.push(line.join(''));
      line = word;
    }
  }
  return [...lines, line.join('')];
}

function pieces(word: readonly string[], columns: number): readonly (readonly string[])[] {
  const count = Math.max(1, Math.ceil(word.length / columns));
  return Array.from({ length: count }, (_, at) => word.slice(at * columns, (at + 1) * columns));
}
