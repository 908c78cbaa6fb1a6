import type { RunRecord } from '../../suites/model/record.ts';
import { plotFile } from '../plots/standalone.ts';
import { picturePlots } from './plots.ts';

/** The picture of a certification run as an SVG file of its own; undefined where the record has no timeline. */
export function renderPicture(record: RunRecord): string | undefined {
  const [whole] = picturePlots(record);
  return whole === undefined ? undefined : plotFile(whole);
}
