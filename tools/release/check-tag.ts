import { readFileSync } from 'node:fs';
import { sectionOf } from './links.ts';

// node --import tsx tools/release/check-tag.ts v1.2.3: before a package is published, the tag, package.json and the
// changelog must name one version. Prints what the changelog states of it.

const [, , tag = ''] = process.argv;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const notes = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), version);
if (tag !== `v${version}` || notes === undefined) {
  console.error(
    notes === undefined
      ? `CHANGELOG.md has no section of ${version}: make the release with "npm version".`
      : `The tag ${tag} is not v${version}, the version of package.json.`,
  );
  process.exit(2);
}
console.log(notes);
