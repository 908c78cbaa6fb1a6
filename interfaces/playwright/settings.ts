import { join } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { definedFields } from '../../kernel/basics/json.ts';
import { JOURNAL } from '../../reports/run-folder.ts';
import { register } from '../../spec/register.ts';
import type { Probe } from '../../suites/service/probes/probe.ts';
import { environmentOptions, FLAGS, VARIABLES } from '../options/command-line.ts';
import { optionsInFile } from '../options/config-file/read-options.ts';
import { givenOptions, remaining } from '../options/given.ts';
import type { OptionValues, PetstoreOptions } from '../options/table.ts';
import { OPTION_NAMES } from '../options/table.ts';
import { readTargetAccess } from '../options/target.ts';
import type { SettledService } from '../run/service.ts';
import { settleService } from '../run/service.ts';

/** Passes the selection from Playwright's main process to its workers. */
const VARIABLE = 'PETSTORE_SELECTED_REQUIREMENTS';

/** The entries of the register that have a test: all but those that bind clients, for which a server gives no evidence. */
export const testedEntries = register.filter(({ judged }) => judged === 'by certify');

/** The tag of every test of this package, so that `--grep @petstore` selects them all. */
export const TAG = '@petstore';

/** The title of an entry's test: its id, then its sentence without backticks. */
export const titleOf = ({ id, sentence }: (typeof testedEntries)[number]): string =>
  `${id} ${sentence.replaceAll('`', '')}`;

/** Stores which of these titles are requirements. */
export function storeSelection(titles: readonly string[], env: NodeJS.ProcessEnv): void {
  const ids = titles.map((title) => title.split(' ', 1)[0] ?? '').filter((id) => testedIds.has(id));
  env[VARIABLE] = ids.join(',');
}

/** The requirements that Playwright selected; undefined where it selected all, or nothing says which. */
function selectedIds(env: NodeJS.ProcessEnv): readonly string[] | undefined {
  const ids = new Set((env[VARIABLE] ?? '').split(',').filter((id) => testedIds.has(id)));
  return ids.size === 0 || ids.size === testedIds.size ? undefined : [...ids];
}

const testedIds: ReadonlySet<string> = new Set(testedEntries.map(({ id }) => id));

const PREFIX = 'petstore.';

/** The options of a Playwright configuration, as every interface hands them on. @throws {UserError} when one is unknown or wrong. */
export const playwrightOptions = (given: PetstoreOptions): OptionValues =>
  givenOptions(given, 'playwright', { prefix: PREFIX });

/**
 * The options, then what the environment states, then what the configuration file does, with a sentence on that file. A
 * recorded run is judged without the file, as by `judge`.
 * @throws {UserError} when the file is wrong, or names no target that is wanted.
 */
export function configured(given: OptionValues, env: NodeJS.ProcessEnv) {
  const stated = { ...remaining(environmentOptions(env), given), ...given };
  const read = stated.journal === undefined ? optionsInFile('certify', stated, env) : undefined;
  const ownNames = Object.keys({ ...given, ...read?.values }).map((option) => [option, `${PREFIX}${option}`]);
  return {
    values: { ...stated, ...read?.values },
    names: { ...VARIABLES, ...Object.fromEntries(ownNames) },
    sentence: read?.sentence,
  };
}

export type ConfiguredOptions = ReturnType<typeof configured>;

/**
 * Settles a run: the probes that the selected tests need, or all where nothing limits it.
 * @param wrapProbe how each probe is run; as it is by default.
 * @throws {UserError} when an input is missing or wrong; no message repeats a key.
 */
export function settlePlaywrightRun(
  { values, names }: ConfiguredOptions,
  env: NodeJS.ProcessEnv,
  wrapProbe?: (probe: Probe) => Probe,
): SettledService {
  if (values.target === undefined) {
    throw new UserError(
      'No target: set PETSTORE_TARGET to the base address of the service, such as https://api.example.com/v1, and PETSTORE_API_KEY to a key of it (or set PETSTORE_JOURNAL to the journal of a recorded run). In a Playwright configuration, use: { petstore: { target: … } } stands for PETSTORE_TARGET.',
    );
  }
  const target = readTargetAccess(values.target, values, names, env);
  return settleService(values, target, { names, env, selected: selectedIds(env), wrapProbe });
}

const OWN_NAMES = new Map(OPTION_NAMES.map((option) => [FLAGS[option], `${PREFIX}${option}`]));

/** A sentence of ours in which options have the names of a Playwright configuration, and not those of the command. */
export const inOwnNames = (sentence: string): string =>
  sentence.replaceAll(/--[a-z-]+/g, (flag) => OWN_NAMES.get(flag) ?? flag);

export interface JudgingSettings extends Pick<OptionValues, 'strict' | 'baseline' | 'baselineWrite'> {
  /** For the journal and the reports. */
  readonly folder: string;
  readonly journal: string;
  /** Whether the journal was recorded before: then nothing is sent. */
  readonly recorded: boolean;
}

export const judgingSettings = (values: OptionValues): JudgingSettings => {
  const { out: folder = join('out', 'playwright'), journal, strict, baseline, baselineWrite } = values;
  const recorded = { journal: journal ?? join(folder, JOURNAL), recorded: journal !== undefined };
  return definedFields({ folder, ...recorded, strict, baseline, baselineWrite });
};
