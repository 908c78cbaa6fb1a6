import { readFile } from 'node:fs/promises';
import type { ThirdParty } from '../../evaluation/third-party/index.ts';
import { thirdParties } from '../../evaluation/third-party/index.ts';
import { FLASK_LIMITER_REQUIREMENTS } from '../flask-limiter.ts';
import { pinnedVersion } from '../python-environment.ts';
import { table } from './blocks.ts';

const idsOrDash = (ids: readonly string[]): string => ids.join(', ') || '–';

/** The table of third-party implementations, with the version of each library, because a verdict is about one version. */
export async function thirdPartyTable(): Promise<string> {
  const rows = await Promise.all(
    thirdParties.map(async (thirdParty) => [
      `\`${thirdParty.library}\` ${await versionOf(thirdParty)}`,
      thirdParty.framework,
      thirdParty.configuration,
      thirdParty.outcome,
      idsOrDash(thirdParty.fails),
      idsOrDash([...thirdParty.warns, ...thirdParty.sometimesWarns.map((id) => `${id} (in some runs)`)]),
      idsOrDash(thirdParty.inconclusive),
      thirdParty.explanation,
    ]),
  );
  const head = ['Library', 'Framework', 'Configuration', 'Outcome', 'Fail', 'Warn', 'Inconclusive', 'Why'];
  return table(head, rows);
}

async function versionOf({ library }: ThirdParty): Promise<string> {
  if (library === 'Flask-Limiter')
    return pinnedVersion({ package: library, requirements: FLASK_LIMITER_REQUIREMENTS });
  const manifest = await readFile(`node_modules/${library}/package.json`, 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
