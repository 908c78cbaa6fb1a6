import type { Host } from '../load/k6/host.ts';
import { lastLineOf } from '../load/k6/host.ts';
import type { MissingTool, ToolSearch } from './finding.ts';
import { toolSearch } from './finding.ts';
import type { PythonTool } from './python-environment.ts';
import { findInEnvironment, NEEDS_PYTHON } from './python-environment.ts';

/** A Python that has a package, or why there is none. */
export type PythonWithPackage =
  | { readonly kind: 'found'; readonly python: string; readonly version: string }
  | MissingTool;

/** A package that the tests use from Python, with the file that pins it. */
export type PythonPackage = Pick<PythonTool<unknown>, 'name' | 'package' | 'requirements'>;

/**
 * Finds a Python package in the tool cache. With `install` it creates a virtual
 * environment there with the pinned release if necessary.
 */
export async function findPythonPackage(
  wanted: PythonPackage,
  options: Partial<ToolSearch>,
): Promise<PythonWithPackage> {
  const { host, install, onProgress } = toolSearch(options);
  const tried: string[] = [];
  const tool = { ...wanted, probe: (python: string) => probe(host, python, wanted.package) };
  const found = await findInEnvironment(tool, { host, install, onProgress }, (why) => tried.push(why));
  return found ?? { kind: 'missing', tried, advice: `${NEEDS_PYTHON}.` };
}

async function probe(host: Host, python: string, name: string): Promise<PythonWithPackage | string> {
  const script = `from importlib.metadata import version; print("version", version("${name}"))`;
  const answer = await host.run(python, ['-c', script], { timeoutSeconds: 60 });
  const version = answer.kind === 'ended' ? /version (\d+\.\d+\.\d+)/.exec(answer.stdout)?.[1] : undefined;
  return version === undefined ? `${python}: ${lastLineOf(answer)}` : { kind: 'found', python, version };
}
