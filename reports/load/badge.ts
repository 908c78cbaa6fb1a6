import type { LoadRecord, LoadVerdict } from '../../load/model/record.ts';
import type { Badge } from '../badge.ts';
import { BADGE_COLOURS, badgeAnswer, drawBadge } from '../badge.ts';
import { loadSentence } from './texts.ts';

const COLOURS = {
  fail: BADGE_COLOURS.violates,
  inconclusive: BADGE_COLOURS.incomplete,
  pass: BADGE_COLOURS.conforms,
} as const satisfies Readonly<Record<LoadVerdict, string>>;

/** The profile belongs to the message: a pass is one of this profile only. */
const badgeOf = ({ profile, verdict }: LoadRecord): Badge => ({
  message: `load ${profile}: ${verdict}`,
  colour: COLOURS[verdict],
});

/** `badge.svg` of a load run. */
export const renderLoadBadgeSvg = (record: LoadRecord): string =>
  drawBadge(badgeOf(record), loadSentence(record));

/** `badge.json` of a load run: the answer of an endpoint for shields.io. */
export const renderLoadBadgeJson = (record: LoadRecord): string =>
  badgeAnswer(badgeOf(record), record.verdict === 'fail');
