import type { ClientTimeline } from '../../suites/model/client.ts';
import type { Finding, RunRecord } from '../../suites/model/record.ts';
import { citedTimelines } from '../timelines/cited.ts';
import { MARKS_LEGEND, timelineMarks, timelineText } from '../timelines/line.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { prose } from './prose.ts';

/** Columns of an axis of text. */
const COLUMNS = 100;

/** The timelines of the starts that a finding against a client rests on. Empty for a service. */
export const timelineFigures = (record: RunRecord, finding: Finding): Markup =>
  markup`${citedTimelines(record, finding).map(timelineFigure)}`;

const timelineFigure = (timeline: ClientTimeline): Markup =>
  markup`<figure class="timeline"><figcaption>${prose(timelineText(timeline))}</figcaption><pre aria-hidden="true">${timelineMarks(timeline, COLUMNS)}
${MARKS_LEGEND}</pre></figure>
`;
