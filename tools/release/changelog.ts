const UNRELEASED = '## Unreleased\n';

/** The changelog has nothing to release, or the version already. */
export class ChangelogError extends Error {
  override readonly name = 'ChangelogError';
}

/**
 * The changelog with what was unreleased under a version and a date, and an empty section above it.
 * @param date as `2026-11-22`.
 * @throws {ChangelogError} when nothing is unreleased, or the version is there already.
 */
export function released(changelog: string, version: string, date: string): string {
  const start = changelog.indexOf(UNRELEASED);
  if (start === -1) throw new ChangelogError('CHANGELOG.md has no section "## Unreleased": add it.');
  if (sectionOf(changelog, version) !== undefined) {
    throw new ChangelogError(`CHANGELOG.md has a section of ${version} already: choose another version.`);
  }
  const after = changelog.slice(start + UNRELEASED.length);
  const next = after.search(/^## /m);
  const unreleased = next === -1 ? after : after.slice(0, next);
  if (unreleased.trim() === '') {
    throw new ChangelogError('CHANGELOG.md has nothing under "## Unreleased": describe what users notice.');
  }
  return `${changelog.slice(0, start)}${UNRELEASED}\n## ${version} (${date})\n${after}`;
}

/** What the changelog states of a version, without its title; undefined where it has no such section. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const title = `## ${version} (`;
  const section = changelog.split(/^(?=## )/m).find((one) => one.startsWith(title));
  return section?.slice(section.indexOf('\n') + 1).trim();
}
