import type { Interval } from './intervals.ts';

/**
 * The nouns of a plot: panels beneath each other over one axis, of time as a rule. Plain data; `plot.ts` turns
 * it into SVG. Times are seconds from the start of the plotted run.
 */

/** A plot of a section of time, with its text alternative. */
export interface Plot extends Interval {
  /** Unique on the page; letters, digits and hyphens. */
  readonly id: string;
  /** What is shown, in a few words. */
  readonly title: string;
  /** The text alternative: what the plot shows, with the figures, in sentences. It is shown beneath the plot. */
  readonly description: string;
  /** The marks of an axis that is not time. */
  readonly ticks?: readonly { readonly value: number; readonly text: string }[];
  readonly panels: readonly Panel[];
  /** The same in figures, for whoever cannot see the plot. */
  readonly table?: PlotTable;
}

/** A short table beside a plot; the first column names the rows. */
export interface PlotTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One panel: values over time, or one row for each place where things happened. */
export type Panel = ValuePanel | RowPanel;

/** Values over time. The axis begins at zero and contains every value. */
export interface ValuePanel {
  readonly kind: 'values';
  /** The quantity with its unit, such as `Latency (ms)`. */
  readonly label: string;
  /** Height in pixels; 110 where it is absent. */
  readonly height?: number;
  /** The axis reaches this value at least. */
  readonly atLeast?: number;
  readonly marks: readonly Mark[];
}

/** Rows beneath each other, such as the connections of a client; the marks of a row have no value. */
export interface RowPanel {
  readonly kind: 'rows';
  readonly label: string;
  readonly rows: readonly { readonly name: string; readonly marks: readonly RowMark[] }[];
}

/** A value at a time. */
export interface Point {
  /** Seconds. */
  readonly x: number;
  readonly y: number;
}

/** How an exchange ended, for its mark: each has a colour and a shape of its own, so nothing rests on colour alone. */
export type PointStatus = 'accepted' | 'rate-limited' | 'rejected' | 'failed' | 'no-response';

/** How a line is drawn. Several in one panel differ in this, and not only in colour. */
export type Stroke = 'strong' | 'dashed' | 'dotted' | 'quiet';

/** What can be drawn into a panel of values. `name` is shown in the legend; marks with the same name share an entry. */
export type Mark =
  /** A line through values with a gap where `y` is NaN, or as steps, of values that hold until the next one. */
  | {
      readonly kind: 'line' | 'steps';
      readonly name: string;
      readonly stroke: Stroke;
      readonly points: readonly Point[];
      /** Its name also stands at its end. */
      readonly isNamed?: true;
    }
  /** The range between two values, such as two percentiles. */
  | {
      readonly kind: 'band';
      readonly name: string;
      readonly points: readonly { readonly x: number; readonly low: number; readonly high: number }[];
    }
  /** Counts in intervals, one on top of the other. */
  | { readonly kind: 'stack'; readonly layers: readonly StackLayer[]; readonly bins: readonly StackBin[] }
  /** Exchanges of one status. */
  | {
      readonly kind: 'points';
      readonly name: string;
      readonly status: PointStatus;
      readonly points: readonly Point[];
    }
  /** A horizontal line: a limit or a threshold. */
  | { readonly kind: 'level'; readonly name: string; readonly y: number }
  | TimeMark;

/** Marks of time alone, over the whole height of a panel or row. */
export type TimeMark =
  /** Moments. */
  | {
      readonly kind: 'rules';
      readonly name: string;
      readonly stroke: 'solid' | 'dashed';
      readonly at: readonly number[];
    }
  /** Intervals. `shade` differs where a panel shows two kinds. */
  | {
      readonly kind: 'spans';
      readonly name: string;
      readonly shade: 'plain' | 'striking';
      readonly spans: readonly Interval[];
    };

/** What can be drawn into a row. */
export type RowMark =
  | TimeMark
  | {
      readonly kind: 'points';
      readonly name: string;
      readonly status: PointStatus;
      readonly at: readonly number[];
    };

export interface StackLayer {
  readonly name: string;
  readonly status: PointStatus;
}

/** One interval of a stack: a value for each layer, in their order. */
export interface StackBin extends Interval {
  readonly values: readonly number[];
}
