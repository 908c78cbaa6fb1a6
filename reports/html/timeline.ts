import type { Finding, RunRecord } from '../../suites/model/record.ts';
import { plotFigure } from '../plots/plot.ts';
import { citedTimelines } from '../timelines/line.ts';
import { timelinePlot } from '../timelines/plot.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

/** The timelines of the starts that a finding against a client rests on, as plots. Empty for a service. */
export const timelineFigures = (record: RunRecord, finding: Finding): Markup =>
  markup`${citedTimelines(record, finding).map((timeline) =>
    plotFigure(timelinePlot(timeline, `timeline-${finding.id}-${timeline.start}`)),
  )}`;
