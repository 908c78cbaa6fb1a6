import { readFileSync } from 'node:fs';
import { lastLineOf, thisHost } from '../../../load/k6/host.ts';
import type { LibraryLanguage, LibrarySubject } from './subjects.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Where a language pins its libraries, and what stands before the version of one. */
const PINS: Readonly<
  Record<Exclude<LibraryLanguage, 'sh'>, { file: string; before: (name: string) => string }>
> = {
  node: { file: './node/package.json', before: (name) => `"${name}": "` },
  python: { file: './python/requirements.txt', before: (name) => `\n${name}==` },
  go: { file: './go/go.mod', before: (name) => `\t${name} v` },
  java: { file: './java/pom.xml', before: (name) => `<artifactId>${name}</artifactId><version>` },
};

/** The version that a lock file pins. @throws {Error} when it pins none. */
export function pinnedVersion(language: Exclude<LibraryLanguage, 'sh'>, name: string): string {
  const { file, before } = PINS[language];
  const text = read(file);
  const at = text.indexOf(before(name));
  const version = /^\d[\w.]*/.exec(text.slice(at + before(name).length))?.[0];
  if (at < 0 || version === undefined) throw new Error(`${file} pins no version of ${name}.`);
  return version;
}

const RUNTIMES: Readonly<Record<LibraryLanguage, (program: string) => readonly [string, string]>> = {
  node: () => [process.execPath, '--version'],
  python: () => ['python3', '--version'],
  go: () => ['go', 'version'],
  java: () => ['java', '-version'],
  sh: (program) => [program, '--version'],
};

/** The version of the language, or of the tool itself: the first number of the first line that it prints. */
export async function runtimeVersion({ language, program }: LibrarySubject): Promise<string> {
  const [command, option] = RUNTIMES[language](program);
  const printed = await thisHost().run(command, [option], { timeoutSeconds: 30 });
  const text = printed.kind === 'ended' ? `${printed.stdout}${printed.stderr}` : lastLineOf(printed);
  return /\d+\.\d+(\.\d+)?/.exec(text)?.[0] ?? 'unknown';
}

/** The versions that decide the behaviour of a library: `axios-retry 4.5.0, axios 1.21.1`. */
export function versionsOf({ language, packages }: LibrarySubject, runtime: string): string {
  if (language === 'sh' || packages.length === 0) return runtime;
  const named = packages.map((name) => [shortName(name), pinnedVersion(language, name)] as const);
  return named.length === 1 ? (named[0]?.[1] ?? runtime) : named.map((pair) => pair.join(' ')).join(', ');
}

const shortName = (name: string): string => name.split('/').at(-1) ?? name;
