import { lastLineOf, onPath } from '../load/k6/host.ts';
import type { FoundTool, MissingTool, ToolSearch } from './finding.ts';
import { aptInstall, findOrInstall, toolSearch } from './finding.ts';

/** Finds a Prometheus on `PATH`, for the tests of dashboard and rules. With `install` it installs it if necessary, with apt as root. */
export async function findPrometheus(options: Partial<ToolSearch> = {}): Promise<FoundTool | MissingTool> {
  const { host, install, onProgress } = toolSearch(options);
  return findOrInstall<FoundTool>(install, {
    async present(tried) {
      const [path] = await onPath(host, ['prometheus']);
      if (path === undefined) {
        tried.push('PATH: not found');
        return undefined;
      }
      const answer = await host.run(path, ['--version'], { timeoutSeconds: 30 });
      const version =
        answer.kind === 'ended' ? /\d+\.\d+\.\d+/.exec(answer.stdout + answer.stderr)?.[0] : undefined;
      if (version === undefined) tried.push(`${path}: ${lastLineOf(answer)}`);
      return version === undefined ? undefined : { kind: 'found', path, version };
    },
    installers: [() => aptInstall(host, onProgress, 'prometheus')],
    advice: 'Install prometheus (the tests of dashboard and rules are skipped without it).',
  });
}
