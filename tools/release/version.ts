import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { loadRegister, register } from '../../spec/register.ts';
import { ACTION_FOLDER, bundleAction } from '../package/bundle.ts';
import { released } from './links.ts';
import { setOfRelease } from './scored-set.ts';

// npm version 1.2.3 makes the commit and the tag of a release: npm runs this program before it sets the version and
// after that, and what it stages is part of the commit. Publishing is the work of .github/workflows/release.yml, which
// runs when the tag is pushed, because only a build server can prove where a package comes from (provenance).

const isSet = process.env['npm_lifecycle_event'] === 'version';
const today = new Date().toISOString().slice(0, 10);
try {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const changelog = released(
    readFileSync('CHANGELOG.md', 'utf8'),
    isSet ? version : 'the next version',
    today,
  );
  if (isSet) {
    writeFileSync('CHANGELOG.md', changelog);
    const { file, text } = setOfRelease(version, [...register, ...loadRegister]);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    // The action of GitHub is what the tag holds, so the bundle is part of the release and of no other commit.
    await bundleAction(ACTION_FOLDER);
    spawnSync('git', ['add', '--force', 'CHANGELOG.md', file, ACTION_FOLDER], { stdio: 'inherit' });
  }
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
