import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable, toolCache } from '../load/k6/host.ts';
import { goBuild } from '../load/k6/install.ts';
import type { FoundTool, MissingTool, ToolSearch } from './finding.ts';
import { findOrInstall, toolSearch } from './finding.ts';

const FOLDER = fileURLToPath(new URL('../load/operator/check/', import.meta.url));
const SOURCES = ['go.mod', 'go.sum', 'main.go'];
const GO = '1.25';

/** Without optimisation of the Kubernetes types, most of the code, compiling takes half the time; decoding a few manifests is fast anyway. */
const FLAGS = ['-gcflags=k8s.io/...=-N -l'];

/** Finds the program that decodes manifests into the types of the k6 operator, in the tool cache under the digest of its sources. With `install` it builds it if necessary. */
export async function findOperatorCheck(options: Partial<ToolSearch> = {}): Promise<FoundTool | MissingTool> {
  const { host, install, onProgress } = toolSearch(options);
  const version = digest();
  const path = join(toolCache(host), 'operator-check', version, 'check');
  return findOrInstall(install, {
    present: async (tried) => {
      if (await isExecutable(path)) return { kind: 'found', path, version } as const;
      tried.push('the tool cache: not found');
      return undefined;
    },
    installers: [
      async () => {
        onProgress('operator-check: building it from source; this takes about a minute');
        const how = { folder: FOLDER, package: '.', goVersion: GO, path, flags: FLAGS };
        return goBuild(host, how).then(
          () => undefined,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
      },
    ],
    advice: `Install Go ${GO} and run npm run provision (without it, manifests are not checked against the operator's types).`,
  });
}

function digest(): string {
  const hash = createHash('sha256');
  for (const name of SOURCES) hash.update(readFileSync(join(FOLDER, name)));
  return hash.digest('hex').slice(0, 16);
}
