import { join } from 'node:path';
import { exampleName } from '../../suites/inputs/name-pattern.ts';
import type { RunInputs } from '../../suites/probes/probe.ts';
import { demonstrationText, planText, share, subjectText } from '../preview-texts.ts';
import { columns, counted, secondsText } from '../terminal.ts';
import { MOST_PARTS } from './openapi-parts.ts';
import type { Settings } from './settings.ts';

/**
 * What a run will send, how long it takes at least and what it leaves behind: said before the first request.
 * @param known what the ledger knows of the key's day, if anything.
 */
export function previewLines(settings: Settings, known: string | undefined): readonly string[] {
  const { runPlan, folder, openapi, demonstration } = settings;
  const { inputs, probes, total } = runPlan;
  const { limits } = inputs;
  const rows = [
    ['Target', subjectText(settings.subject)],
    ['Plan', planText(inputs.plan, limits)],
    [
      'Key',
      inputs.exclusiveKey
        ? 'used by this run alone: nothing stays inconclusive because of other clients'
        : 'other clients may use it meanwhile; --exclusive-key states that none does',
    ],
    ['Probes', `${probes.length}, asked once each`],
    [
      'With the key',
      `${counted(total.withKey, 'request')} (${share(total.withKey, limits.perDay)} of the plan's day); more, at most ${runPlan.mostWithKey.toLocaleString('en')}, where the limit is refilled meanwhile, answers are slow or the target does not keep its limit`,
    ],
    ...(total.withOtherKeys > 0 ? [['Other keys', counted(total.withOtherKeys, 'request')]] : []),
    ['Without a key', `${counted(total.unauthenticated, 'request')} without a valid key`],
    ['Takes', `at least ${secondsText(runPlan.seconds)}: a window of the limit has to pass`],
    [
      'Remains',
      `${counted(total.categoriesCreated, 'category', 'categories')} on the target, named ${nameText(inputs)}: the specification has no way to delete one`,
    ],
    ...(openapi === undefined
      ? []
      : [
          [
            'OpenAPI',
            `${inputs.openapi?.[0]?.source ?? ''} and what it refers to there (at most ${MOST_PARTS} documents), read without any key`,
          ],
        ]),
    ...(known === undefined ? [] : [['Ledger', known]]),
    ['Folder', join(folder, '/')],
  ];
  return [...columns(rows), ...(demonstration ? ['', demonstrationText(limits.minuteSeconds)] : []), ''];
}

/** How the categories that remain are named; a name that is rejected is followed by plainer ones, which begin with pc, too. */
const nameText = ({ tag, namePattern }: RunInputs): string =>
  namePattern === undefined ? `pc-${tag}-…` : `such as "${exampleName(namePattern)}"`;
