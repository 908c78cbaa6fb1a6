import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pipelineFor } from '../interfaces/command/init.ts';
import type { RunningServer } from '../reference-server/http/server.ts';
import { startServer } from '../reference-server/http/server.ts';
import { sampleOf } from '../tools/sample.ts';
import { plansOf } from './over-http.ts';
import { ENTRY, endOf, plansFile } from './testing/cli/command.ts';
import type { ShellBlock } from './testing/documents.ts';
import { blocksOf } from './testing/documents.ts';
import { temporaryFolder } from './testing/tools/folder.ts';
import { withoutK6 } from './testing/tools/k6.ts';

// Every command in every document: run against the bundled server, or listed with the reason why not. Three things
// differ from what a reader types. The address and the keys of the document become those of the bundled server. Its
// window is short, so certify and load get a plan file that says so. And npx starts the command of this clone.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MINUTE_SECONDS = 4;
const MOST_MS = 240_000;

/** The documents whose commands run here, in one folder for each document and in their order. */
const RUN = [
  'README.md',
  'docs/vendor.md',
  'docs/certify.md',
  'docs/pipeline.md',
  'docs/sre.md',
  'docs/client-developer.md',
] as const;

/** What a block that does not run here has in its text, and why it does not, or where it is tested instead. */
const NOT_RUN: readonly (readonly [part: string, reason: string])[] = [
  [
    'npm ',
    'installs packages or runs tests; evaluation/package installs the tarball, and each command has tests',
  ],
  ['certify-client -- python3 client.py', 'docs/client-developer.md has the same command'],
  ['watch --target', 'runs until Ctrl-C; interfaces/command/clients/watch.test.ts runs it'],
  ['--against', 'takes sixteen runs; interfaces/command/load-run.test.ts runs two'],
  ['load capacity', 'needs a fleet of keys; interfaces/command/load/settings.test.ts'],
  ['load plans', 'needs keys of two plans; evaluation/load/limits.test.ts runs the profile'],
  ['load soak', 'takes half an hour, and InfluxDB; docs/sre.md runs thresholds'],
  ['export K6_', 'needs Prometheus or a collector; interfaces/command/load.test.ts'],
  ['--keys keys', 'needs signed runs; interfaces/command/reports/listing.test.ts makes some'],
  ['node --import tsx', 'the tests and the lint of a folder, which npm test runs'],
  ['kubectl', 'needs Kubernetes; load/operator and evaluation/load run its parts'],
];

const folder = temporaryFolder({ after });

const bin = programs();

/** A folder with `npx` and `petstore-conformance`, which start the command of this clone. */
function programs(): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const plans = plansFile(folder, MINUTE_SECONDS);
  const script = `#!/bin/bash
if [ "$1" = --offline ]; then shift; fi
if [[ "$0" == */npx ]]; then shift; fi
case "$1 $2" in
  "certify "*|"load smoke"|"load at-limit") set -- "$@" --plans '${plans}' ;;
esac
exec '${process.execPath}' '${ENTRY}' "$@"
`;
  for (const name of ['npx', 'petstore-conformance']) writeFileSync(join(bin, name), script, { mode: 0o755 });
  return bin;
}

/** The text with the address and the keys of the bundled server in place of those of the document. */
function localized(text: string, server: RunningServer): string {
  const plan = text.includes('--plan pro') ? 'pro' : 'free';
  return text
    .replaceAll('https://staging.example.com/v1', server.baseUrl)
    .replaceAll('staging.example.com', '127.0.0.1')
    .replaceAll('PETSTORE_API_KEY=…', `PETSTORE_API_KEY='${server.keys[plan]?.[0]}'`)
    .replaceAll('PETSTORE_OTHER_KEY=…', `PETSTORE_OTHER_KEY='${server.keys[plan]?.[1]}'`);
}

async function runBlock(cwd: string, server: RunningServer, { text }: ShellBlock) {
  // Variables that one block exports are there for the next one, as in the shell of a reader.
  const variables = join(cwd, '.variables');
  const known = existsSync(variables) ? readFileSync(variables, 'utf8') : '';
  // Every command of the block runs, and the exit code of each that does not end with 0 is written down.
  const codes = join(cwd, '.codes');
  writeFileSync(codes, '');
  const keep = `trap "export -p | grep PETSTORE_ > '${variables}'" EXIT\ntrap 'echo $? >> .codes' ERR`;
  // In a file, because other users of the machine can read arguments, and the block holds keys.
  const script = join(cwd, '.script');
  writeFileSync(script, `${keep}\n${known}${localized(text, server)}`, { mode: 0o600 });
  const child = spawn('bash', ['--norc', '-o', 'pipefail', script], {
    cwd,
    env: {
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: process.env['HOME'],
      XDG_STATE_HOME: join(cwd, '.state'),
      STAGING: server.baseUrl.replace(/\/v1$/, ''),
      PETSTORE_API_KEY: server.keys['free']?.[0],
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MOST_MS,
  });
  const { printed } = await endOf(child);
  return {
    codes: readFileSync(codes, 'utf8')
      .split('\n')
      .filter((code) => code !== ''),
    printed,
  };
}

const isLeftOut = ({ text }: ShellBlock): boolean => NOT_RUN.some(([part]) => text.includes(part));

// Side by side, because most of them wait for the next window.
describe('the commands of the documents', { concurrency: RUN.length }, () => {
  for (const document of sampleOf(RUN)) {
    describe(document, { concurrency: 1 }, () => {
      const cwd = join(folder, document.replaceAll(/\W/g, '-'));
      let server: RunningServer;
      // A server for each document, because the commands of all of them would exhaust the daily quota of a key.
      before(async () => {
        mkdirSync(cwd);
        server = await startServer({ plans: plansOf(MINUTE_SECONDS) });
      });
      after(() => server.close());
      for (const block of blocksOf(ROOT, document, 'sh')) {
        if (isLeftOut(block)) continue;
        const [first = ''] = block.text.split('\n');
        test(`line ${block.line}: ${first}`, async (t) => {
          if (/ load |at-limit/.test(block.text) && withoutK6 !== false) return t.skip(withoutK6);
          const { codes, printed } = await runBlock(cwd, server, block);
          // 3: a machine too busy for a window of some seconds, so that a verdict stays inconclusive.
          const others = codes.filter((code) => code !== '3');
          assert.deepEqual(others, [], printed);
        });
      }
    });
  }
});

test('every block of commands in every document runs here, or is listed with a reason', () => {
  const { stdout } = spawnSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' });
  const blocks = stdout
    .trim()
    .split('\n')
    .flatMap((document) => blocksOf(ROOT, document, 'sh').map((block) => ({ document, block })));
  const unlisted = blocks
    .filter(({ document, block }) => !RUN.some((one) => one === document) && !isLeftOut(block))
    .map(({ document, block }) => `${document}:${block.line}`);
  assert.deepEqual(unlisted, []);
  const unused = NOT_RUN.filter(([part]) => !blocks.some(({ block }) => block.text.includes(part)));
  assert.deepEqual(unused, [], 'a reason for a block that does not exist');
});

test('the recipes of the page for pipelines are what init writes', () => {
  const page = readFileSync(join(ROOT, 'docs/pipeline.md'), 'utf8');
  for (const server of ['github', 'gitlab', 'jenkins'] as const) {
    assert.ok(page.includes(`\n${pipelineFor(server, 'PETSTORE_API_KEY').text}\`\`\`\n`), server);
  }
});
