/** One figure, what it should be, and whether it is. */
export interface Row {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  readonly aim: { readonly is: 'at most' | 'at least' | 'exactly'; readonly value: number };
}

const holds = ({ figure, aim }: Row): boolean => {
  switch (aim.is) {
    case 'at most':
      return figure <= aim.value;
    case 'at least':
      return figure >= aim.value;
    case 'exactly':
      return figure === aim.value;
  }
};

const shown = (value: number, unit: string): string => `${Number(value.toFixed(2))}${unit}`;

/** A row as one line of text. */
export function lineOf(row: Row): string {
  const { name, figure, unit, aim } = row;
  const wanted = `${aim.is} ${shown(aim.value, unit)}`;
  return `${name.padEnd(62)} ${shown(figure, unit).padStart(10)}   ${wanted.padEnd(18)} ${holds(row) ? 'met' : 'NOT MET'}`;
}

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  if (low === undefined || high === undefined) throw new RangeError('There is no median of nothing.');
  return (low + high) / 2;
}
