import { readFile } from 'node:fs/promises';
import type { ThirdParty } from '../../evaluation/third-party/index.ts';
import { thirdParties as all } from '../../evaluation/third-party/index.ts';
import { REQUIREMENTS } from '../flask-limiter.ts';
import { pinnedVersion } from '../python-environment.ts';
import { table } from './blocks.ts';

const list = (ids: readonly string[]): string => ids.join(', ') || '–';

/** Every thirdParty with the version that was examined: a verdict on a library names its version. */
export async function thirdParties(): Promise<string> {
  const rows = await Promise.all(
    all.map(async (thirdParty) => [
      `\`${thirdParty.library}\` ${await versionOf(thirdParty)}`,
      thirdParty.framework,
      thirdParty.configuration,
      thirdParty.outcome,
      list(thirdParty.violates),
      [...thirdParty.warned, ...thirdParty.sometimes.map((id) => `${id} (at some phases)`)].join(', ') || '–',
      list(thirdParty.open),
      thirdParty.because,
    ]),
  );
  const head = ['Library', 'In', 'Configuration', 'Verdict', 'Violates', 'Warned of', 'Left open', 'Because'];
  return table(head, rows);
}

async function versionOf({ library }: ThirdParty): Promise<string> {
  if (library === 'Flask-Limiter') return pinnedVersion({ package: library, requirements: REQUIREMENTS });
  const manifest = await readFile(`node_modules/${library}/package.json`, 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
