import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goBuild } from '../load/k6/go-build.ts';
import { isExecutable } from '../load/k6/host.ts';
import { toolCache } from '../load/k6/tool-cache.ts';
import type { Missing, Search } from './finding.ts';
import { search } from './finding.ts';

/** The program that decodes manifests into the operator's own types, or why there is none. */
export type OperatorCheck = { readonly kind: 'found'; readonly path: string } | Missing;

const FOLDER = fileURLToPath(new URL('../load/operator/check/', import.meta.url));
const SOURCES = ['go.mod', 'go.sum', 'main.go'];
const GO = '1.25';

/** The types of Kubernetes are most of what is compiled: not optimised, that takes half the time, and a few manifests are decoded at once all the same. */
const FLAGS = ['-gcflags=k8s.io/...=-N -l'];

/** Finds the program in the tool cache, under the digest of its sources; with `install` also builds it. */
export async function findOperatorCheck(options: Partial<Search> = {}): Promise<OperatorCheck> {
  const { host, install, say } = search(options);
  const path = join(toolCache(host), 'operator-check', digest(), 'check');
  if (await isExecutable(path)) return { kind: 'found', path };
  const tried = ['the tool cache: nothing kept yet'];
  if (install) {
    say('operator-check: building it from source; this takes about a minute');
    try {
      await goBuild(host, { folder: FOLDER, package: '.', goVersion: GO, path, flags: FLAGS });
      return { kind: 'found', path };
    } catch (error) {
      tried.push(error instanceof Error ? error.message : String(error));
    }
  }
  return {
    kind: 'missing',
    tried,
    advice: `Install Go ${GO} and run npm run provision (manifests are not held against the operator's types without it).`,
  };
}

function digest(): string {
  const hash = createHash('sha256');
  for (const name of SOURCES) hash.update(readFileSync(join(FOLDER, name)));
  return hash.digest('hex').slice(0, 16);
}
