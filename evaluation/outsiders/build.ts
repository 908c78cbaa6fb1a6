import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLineOf, thisHost, toolCache } from '../../load/k6/host.ts';
import { toolSearch } from '../../tools/finding.ts';
import { findInEnvironment, NEEDS_PYTHON } from '../../tools/python-environment.ts';

/** A service that can be started, or why it cannot be on this machine. */
export type Built =
  | { readonly kind: 'built'; readonly folder: string; readonly command: readonly string[] }
  | { readonly kind: 'missing'; readonly why: string };

/** How a service is built in a copy of its folder, and started from there. */
interface Recipe {
  /** Commands in order; the first shows whether the language is on the machine. */
  readonly steps: readonly (readonly string[])[];
  readonly start: readonly string[];
}

/** The libraries of a service with a `package.json` of its own. */
const INSTALL = ['npm', 'install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];

const recipes: Readonly<Record<string, Recipe>> = {
  go: {
    steps: [
      ['go', 'version'],
      ['go', 'build', '-o', 'petstore', '.'],
    ],
    start: ['./petstore'],
  },
  'go-limiters': {
    steps: [
      ['go', 'version'],
      ['go', 'build', '-o', 'petstore', '.'],
    ],
    start: ['./petstore'],
  },
  express: { steps: [['npm', '--version'], INSTALL], start: ['node', 'app.mjs'] },
  nest: {
    steps: [['npm', '--version'], INSTALL, ['node', 'node_modules/typescript/bin/tsc', '-p', '.']],
    start: ['node', 'dist/main.mjs'],
  },
  gin: {
    steps: [
      ['go', 'version'],
      ['go', 'build', '-o', 'petstore', '.'],
    ],
    start: ['./petstore'],
  },
  tcl: { steps: [['sh', '-c', 'echo exit | tclsh8.6']], start: ['tclsh8.6', 'petstore.tcl'] },
  redis: { steps: [['redis-server', '--version']], start: ['node', 'main.mjs'] },
  haproxy: {
    steps: [
      ['haproxy', '-v'],
      ['python3', '--version'],
    ],
    start: ['python3', 'main.py'],
  },
  axum: {
    steps: [
      ['cargo', '--version'],
      ['cargo', 'build', '--quiet'],
    ],
    start: ['target/debug/petstore'],
  },
  spring: {
    steps: [
      ['java', '-version'],
      ['mvn', '--version'],
      ['mvn', '--quiet', '--batch-mode', 'package'],
    ],
    start: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', 'target/petstore.jar'],
  },
  ktor: {
    steps: [
      ['java', '-version'],
      ['mvn', '--version'],
      ['mvn', '--quiet', '--batch-mode', 'package'],
    ],
    start: [
      'java',
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-cp',
      'target/petstore.jar:target/libraries/*',
      'petstore.MainKt',
    ],
  },
  sinatra: {
    steps: [
      ['ruby', '--version'],
      [
        'ruby',
        '-e',
        'require "sinatra/base"; require "puma"; require "rack/attack"; require "sequel"; require "sqlite3"',
      ],
    ],
    start: ['ruby', 'app.rb'],
  },
  php: {
    steps: [
      ['php', '--version'],
      ['php', '-r', 'require "Symfony/Component/RateLimiter/autoload.php"; new PDO("sqlite::memory:");'],
    ],
    start: ['sh', '-c', 'PHP_CLI_SERVER_WORKERS=4 exec php -S "127.0.0.1:$PORT" router.php'],
  },
  mojolicious: {
    steps: [['perl', '-MMojolicious', '-e', '1']],
    start: ['perl', 'app.pl'],
  },
  libmicrohttpd: {
    steps: [
      ['gcc', '--version'],
      [
        'gcc',
        '-std=gnu11',
        '-O1',
        '-o',
        'petstore',
        'petstore.c',
        '-lmicrohttpd',
        '-ljansson',
        '-lpthread',
        '-lm',
      ],
    ],
    start: ['./petstore'],
  },
};

/** Fastify, Hono and their plugins are development dependencies of this project, which a copy elsewhere would not find. */
const inPlace: Readonly<Record<string, Recipe>> = {
  fastify: { steps: [], start: [process.execPath, 'app.mjs'] },
  nginx: { steps: [['nginx', '-v']], start: [process.execPath, 'main.mjs'] },
};

/** The package that shows whether a service in Python can start. */
const pythonPackages: Readonly<Record<string, string>> = {
  fastapi: 'fastapi',
  django: 'Django',
  flask: 'Flask-Limiter',
};

/** Builds a service in the tool cache with its usual tools, which fetch its libraries or find those of the system. Minutes the first time. */
export async function build(name: string, onProgress: (line: string) => void): Promise<Built> {
  const host = thisHost();
  const source = fileURLToPath(new URL(`services/${name}`, import.meta.url));
  const recipe = inPlace[name] ?? recipes[name];
  if (recipe === undefined) return buildPython(name, source, onProgress);
  const folder = name in inPlace ? source : join(toolCache(host), 'outsiders', name);
  if (folder !== source) await cp(source, folder, { recursive: true });
  for (const [command = '', ...rest] of recipe.steps) {
    const result = await host.run(command, rest, { timeoutSeconds: 1200, cwd: folder });
    if (result.kind === 'ended' && result.code === 0) continue;
    return { kind: 'missing', why: `${command} ${rest.join(' ')}: ${lastLineOf(result)}` };
  }
  return { kind: 'built', folder, command: recipe.start };
}

async function buildPython(name: string, folder: string, onProgress: (line: string) => void): Promise<Built> {
  const failed: string[] = [];
  const found = await findInEnvironment(
    {
      name: `outsider-${name}`,
      package: pythonPackages[name] ?? name,
      requirements: join(folder, 'requirements.txt'),
      probe: async (interpreter) => ({ interpreter }),
    },
    toolSearch({ install: true, onProgress }),
    (why) => void failed.push(why),
  );
  if (found === undefined) return { kind: 'missing', why: [...failed, NEEDS_PYTHON].join('. ') };
  return { kind: 'built', folder, command: [found.interpreter, 'app.py'] };
}
