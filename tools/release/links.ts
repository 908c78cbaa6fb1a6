import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import process, { argv } from 'node:process';
import { UserError } from '../../kernel/basics/errors.ts';

// node --import tsx tools/release/links.ts v1.2.3: in the documents of the package, a link to what the package does not have leads to
// the repository that package.json names. The workflow of a release runs it in its own copy of the files.

/** A link in Markdown, outside of code: what stands before its address, and the address. */
const LINK = /(`[^`\n]*`)|(!?)\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s]+)\)/g;

/** The relative links of a document, as paths from the root of the project. */
export function linksOf(path: string, text: string): readonly string[] {
  const found: string[] = [];
  rewritten(path, text, (target) => {
    found.push(target);
    return undefined;
  });
  return found;
}

/**
 * A document whose links to files that are not shipped lead to the repository.
 * @param shipped the files of the package, from the root of the project.
 * @param repository its address, such as `https://host/owner/name`.
 */
export const withRepository = (
  path: string,
  text: string,
  shipped: ReadonlySet<string>,
  { repository, tag }: { readonly repository: string; readonly tag: string },
): string =>
  rewritten(path, text, (target, isImage) =>
    shipped.has(target) ? undefined : `${repository}/${isImage ? 'raw' : 'blob'}/${tag}/${target}`,
  );

/** Gives each relative link outside of code another address, where there is one; what follows a `#` stays. */
function rewritten(
  path: string,
  text: string,
  address: (target: string, isImage: boolean) => string | undefined,
): string {
  const parts = text.split(/(^```.*?^```$)/ms);
  const link = (
    whole: string,
    code: string | undefined,
    mark: string,
    words: string,
    url: string,
  ): string => {
    if (code !== undefined) return whole;
    const [file = '', anchor] = url.split('#');
    if (file === '' || /^[a-z]+:/.test(url)) return whole;
    const to = address(posix.normalize(posix.join(posix.dirname(path), file)), mark === '!');
    return to === undefined ? whole : `${mark}[${words}](${to}${anchor === undefined ? '' : `#${anchor}`})`;
  };
  return parts.map((part, at) => (at % 2 === 0 ? part.replaceAll(LINK, link) : part)).join('');
}

/** The files that npm would pack, without what a build makes. */
export function shippedFiles(root: string): ReadonlySet<string> {
  const args = ['pack', '--dry-run', '--json', '--offline', '--ignore-scripts'];
  const { stdout } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  // npm lists the packages or names them, by its version.
  const [packed] = Object.values<{ files: readonly { path: string }[] }>(JSON.parse(stdout));
  return new Set(packed?.files.map(({ path }) => path).filter((path) => !path.startsWith('dist/')));
}

if (argv[1]?.endsWith('links.ts') === true) {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
  const where = { repository: repository.url.replace(/^git\+|\.git$/g, ''), tag: argv[2] ?? '' };
  const shipped = shippedFiles('.');
  for (const path of shipped)
    if (path.endsWith('.md'))
      writeFileSync(path, withRepository(path, readFileSync(path, 'utf8'), shipped, where));
}

const UNRELEASED = '## Unreleased\n';

/**
 * The changelog with what was unreleased under a version and a date, and an empty section above it.
 * @param date as `2026-11-22`.
 * @throws {UserError} when nothing is unreleased, or the version is there already.
 */
export function released(changelog: string, version: string, date: string): string {
  const start = changelog.indexOf(UNRELEASED);
  if (start === -1) throw new UserError('CHANGELOG.md has no section "## Unreleased": add it.');
  if (sectionOf(changelog, version) !== undefined) {
    throw new UserError(`CHANGELOG.md has a section of ${version} already: choose another version.`);
  }
  const after = changelog.slice(start + UNRELEASED.length);
  const next = after.search(/^## /m);
  const unreleased = next === -1 ? after : after.slice(0, next);
  if (unreleased.trim() === '') {
    throw new UserError('CHANGELOG.md has nothing under "## Unreleased": describe what users notice.');
  }
  return `${changelog.slice(0, start)}${UNRELEASED}\n## ${version} (${date})\n${after}`;
}

/** What the changelog states of a version, without its title; undefined where it has no such section. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const title = `## ${version} (`;
  const section = changelog.split(/^(?=## )/m).find((one) => one.startsWith(title));
  return section?.slice(section.indexOf('\n') + 1).trim();
}
