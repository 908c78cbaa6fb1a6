import { secondWindow } from '../probes/second-window.ts';
import { thirdWindow } from '../probes/third-window.ts';
import type { Use } from '../probes/uses.ts';
import type { Evidence } from './evidence.ts';
import { uses } from './uses.ts';

/** The stretches of use in the further windows of a thorough run, in their order; none in any other run. */
export const furtherUses = (evidence: Evidence): readonly Use[] =>
  evidence
    .fact(uses)
    .filter(({ first }) => first.probe === secondWindow.id || first.probe === thirdWindow.id);

/** The second window, in which the limit is tested again, with more than its baseline request. */
export const secondUse = (evidence: Evidence): Use | undefined =>
  furtherUses(evidence).find(({ first, series }) => first.probe === secondWindow.id && series.length > 1);

/** The third window, with requests around its end and more than its baseline request; several where it was repeated. */
export const thirdUses = (evidence: Evidence): readonly Use[] =>
  furtherUses(evidence).filter(({ first, series }) => first.probe === thirdWindow.id && series.length > 1);

/** How many windows were tested: one, and the further ones of a thorough run. */
export const testedWindows = (evidence: Evidence): number =>
  1 + [secondUse(evidence), thirdUses(evidence)[0]].filter((use) => use !== undefined).length;

/** How many windows were tested, as the end of a sentence about what holds: empty where it is one. */
export const windowsText = (evidence: Evidence): string =>
  ['', ', in two windows', ', in three windows'][testedWindows(evidence) - 1] ?? '';

/** That no 429 came too early in the further windows, as the end of a sentence about the first one. */
export function notEarlierText(evidence: Evidence): string {
  const windows = windowsText(evidence);
  return windows === '' ? '' : `, and none came too early${windows}`;
}

/** What was checked, in a sentence about the second window. */
export const inSecondWindow = (checked: string): string =>
  `In the second window: ${checked.replace(/^After /, 'after ')}`;
