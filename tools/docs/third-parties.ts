import { readFile } from 'node:fs/promises';
import type { Witness } from '../../evaluation/third-party/index.ts';
import { witnesses as all } from '../../evaluation/third-party/index.ts';
import { REQUIREMENTS } from '../flask-limiter.ts';
import { pinnedVersion } from '../python-environment.ts';
import { table } from './blocks.ts';

const list = (ids: readonly string[]): string => ids.join(', ') || '–';

/** Every witness with the version that was examined: a verdict on a library names its version. */
export async function witnesses(): Promise<string> {
  const rows = await Promise.all(
    all.map(async (witness) => [
      `\`${witness.library}\` ${await versionOf(witness)}`,
      witness.framework,
      witness.configuration,
      witness.outcome,
      list(witness.violates),
      [...witness.warned, ...witness.sometimes.map((id) => `${id} (at some phases)`)].join(', ') || '–',
      list(witness.open),
      witness.because,
    ]),
  );
  const head = ['Library', 'In', 'Configuration', 'Verdict', 'Violates', 'Warned of', 'Left open', 'Because'];
  return table(head, rows);
}

async function versionOf({ library }: Witness): Promise<string> {
  if (library === 'Flask-Limiter') return pinnedVersion({ package: library, requirements: REQUIREMENTS });
  const manifest = await readFile(`node_modules/${library}/package.json`, 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
