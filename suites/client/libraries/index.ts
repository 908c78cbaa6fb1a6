import type { ClientLibrary } from './libraries.ts';
import { commandLineTools, goLibraries, javaLibraries, nodeLibraries, pythonLibraries } from './libraries.ts';

/** HTTP libraries, and the fix for a client that uses one. */
export type { ClientLibrary } from './libraries.ts';

/** Every library, in the order of the table of libraries. */
export const clientLibraries: readonly ClientLibrary[] = [
  ...nodeLibraries,
  ...pythonLibraries,
  ...goLibraries,
  ...javaLibraries,
  ...commandLineTools,
];

/** The library that sends this User-Agent unless it is given another one. It decides advice, never a verdict. */
export const libraryOf = (userAgent: string): ClientLibrary | undefined =>
  clientLibraries.find((one) => one.userAgent !== null && matches(userAgent, one.userAgent));

/** A beginning that is a whole name is followed by nothing, a space or the slash of a version. */
const matches = (userAgent: string, beginning: string): boolean =>
  userAgent.startsWith(beginning) &&
  (/\W$/.test(beginning) || /^($|[ /])/.test(userAgent.slice(beginning.length)));
