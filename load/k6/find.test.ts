import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it, test } from 'node:test';
import type { Commands } from '../../evaluation/testing/tools/fake-host.ts';
import { ended, fakeHost, program } from '../../evaluation/testing/tools/fake-host.ts';
import { UserError } from '../../kernel/basics/errors.ts';
import type { K6 } from './find.ts';
import { findK6, withSignsOfLife } from './find.ts';
import type { Host, RunOptions } from './host.ts';
import type { K6Pin } from './install.ts';
import { k6Pin } from './install.ts';

// No network, no k6, no Go: the programs are text files, and a fake host
// prints the text of a file as its output.

const GOOD = 'k6 v2.2.0 (go1.26, linux/amd64)\n';
const ARCHIVE = Buffer.from('an archive');

let folder = '';
let cached = '';
let emptyHost: Host;
/** What was downloaded and run, in order, without `version` calls. */
let done: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-k6-'));
  cached = join(folder, 'cache', 'petstore-conformance', 'k6', '2.2.0', 'k6');
  done = [];
  emptyHost = host({});
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A machine that cannot reach GitHub and has no Go, unless `over` changes that. */
const host = (over: Partial<Host>): Host => ({ ...fakeHost(folder), ...over });

const withVariables = (env: Readonly<Record<string, string>>): Host => ({
  ...emptyHost,
  env: { ...emptyHost.env, ...env },
});

/** Runs the `tools` by name, and records the calls. */
const recording = (tools: Commands): Host['run'] => {
  const recorded = Object.entries(tools).map(([name, tool]): [string, Commands[string]] => [
    name,
    (args, options) => {
      done.push(`${name} ${args[0]}`);
      return tool(args, options);
    },
  ]);
  return fakeHost(folder, Object.fromEntries(recorded)).run;
};

const goBuild = (text: string) => ({
  go: async (args: readonly string[]) => {
    if (args[0] === 'env') return ended('go1.26.8\n');
    await program(args[2] ?? '', text);
    return ended('');
  },
});

/** A release that unpacks to a program, with the sum of `pinned`. */
const release = (text: string, sent = ARCHIVE): { options: Partial<Host>; pin: K6Pin } => ({
  options: {
    download: (url) => {
      done.push(`download ${url}`);
      return Promise.resolve(sent);
    },
    run: recording({
      tar: async (_args, { cwd = '' }) => {
        await program(join(cwd, 'k6'), text);
        return ended('');
      },
    }),
  },
  pin: {
    ...k6Pin,
    archives: {
      'linux-x64': { file: 'k6.tar.gz', sha256: createHash('sha256').update(ARCHIVE).digest('hex') },
    },
  },
});

const whyOf = (k6: K6, source: string) =>
  k6.kind === 'missing' ? k6.tried.find((one) => one.source === source)?.why : `found in ${k6.source}`;

describe('where k6 is found', () => {
  it('K6_BIN comes before everything, and may have any name, by which k6 then calls itself', async () => {
    const path = await program(join(folder, 'load-generator'), GOOD.replace('k6', 'load-generator'));
    await program(join(folder, 'bin', 'k6'), GOOD);
    const k6 = await findK6({ host: withVariables({ K6_BIN: path }) });
    assert.deepEqual(k6, {
      kind: 'found',
      path,
      version: '2.2.0',
      source: 'K6_BIN',
      because: 'K6_BIN names it.',
    });
  });

  it('PATH comes before the cache; an old k6 there is reported and skipped for a newer one after it', async () => {
    const old = await program(join(folder, 'old', 'k6'), 'k6 v0.57.0 (go1.23)\n');
    const path = await program(join(folder, 'bin', 'k6'), GOOD);
    await program(cached, GOOD);
    const lines: string[] = [];
    const here = withVariables({ PATH: [dirname(old), dirname(path)].join(delimiter) });
    const k6 = await findK6({ host: here, report: (line) => lines.push(line) });
    assert.ok(k6.kind === 'found' && k6.source === 'PATH' && k6.path === path);
    assert.deepEqual(lines, [`k6: ignored: ${old} is k6 0.57.0, not 2.x`]);
  });

  it('the cache comes before the network', async () => {
    await program(cached, GOOD);
    const k6 = await findK6({ host: host(release(GOOD).options) });
    assert.ok(k6.kind === 'found' && k6.source === 'cache' && k6.path === cached);
    assert.deepEqual(done, []);
  });

  it('the release comes before a build, from its publisher, into the cache', async () => {
    const { options, pin: small } = release(GOOD);
    const k6 = await findK6({ host: host(options), pin: small });
    assert.ok(k6.kind === 'found' && k6.source === 'release' && k6.path === cached);
    assert.deepEqual(done, [
      'download https://github.com/grafana/k6/releases/download/v2.2.0/k6.tar.gz',
      'tar -xf',
    ]);
    assert.deepEqual(await readdir(dirname(cached)), ['k6'], 'the cache contains nothing else');
  });

  it('a build comes last, pinned and without the flags of the user', async () => {
    let built: RunOptions | undefined;
    const { go } = goBuild(GOOD);
    const run = recording({
      go: (args, options) => {
        if (args[0] === 'build') built = options;
        return go(args);
      },
    });
    const k6 = await findK6({ host: host({ run }) });
    assert.ok(k6.kind === 'found' && k6.source === 'build' && k6.path === cached);
    assert.match(built?.env?.['GOFLAGS'] ?? '', /-mod=readonly/);
    assert.ok((await readdir(built?.cwd ?? '')).includes('go.sum'));
    assert.deepEqual(await readdir(dirname(cached)), ['k6'], 'the cache contains nothing else');
  });

  it('two concurrent builds both end with a complete k6', async () => {
    const both = [1, 2].map(() => findK6({ host: host({ run: recording(goBuild(GOOD)) }) }));
    for (const k6 of await Promise.all(both)) assert.ok(k6.kind === 'found' && k6.path === cached);
    assert.equal(await readFile(cached, 'utf8'), GOOD);
    assert.deepEqual(await readdir(dirname(cached)), ['k6']);
  });
});

describe('where k6 is not found', () => {
  for (const [what, text, message] of [
    [
      'is not there',
      undefined,
      /K6_BIN must name a k6 2\.x: .*mine cannot be run \(there is no such file or folder\)\. Correct it, or unset it/,
    ],
    ['is too old', 'k6 v1.8.1 (go1.25)\n', /mine is k6 1\.8\.1, not 2\.x/],
    ['is another program', 'mine v2.2.0\n', /mine does not report a k6 version/],
    ['is not k6', 'hello\n', /mine does not report a k6 version/],
  ] as const) {
    it(`a K6_BIN that ${what} is an error and not skipped`, async () => {
      const path = join(folder, 'mine');
      if (text !== undefined) await program(path, text);
      await program(join(folder, 'bin', 'k6'), GOOD);
      const search = findK6({ host: withVariables({ K6_BIN: path }) });
      await assert.rejects(search, (error) => error instanceof UserError && message.test(error.message));
    });
  }

  it('every source is listed with its reason, and one line says what to do', async () => {
    const k6 = await findK6({ host: emptyHost });
    assert.ok(k6.kind === 'missing');
    assert.deepEqual(k6.tried, [
      { source: 'PATH', why: 'no k6 found' },
      { source: 'cache', why: 'it is empty' },
      { source: 'release', why: 'github.com: not found' },
      { source: 'build', why: 'Go 1.25 or newer is needed' },
    ]);
    assert.doesNotMatch(k6.advice, /\n/);
  });

  it('a search without installing uses neither the network nor Go', async () => {
    const run = recording(goBuild(GOOD));
    const k6 = await findK6({ host: host({ ...release(GOOD).options, run }), install: false });
    assert.equal(k6.kind, 'missing');
    assert.deepEqual(done, []);
  });

  it('an archive with another SHA-256 is never unpacked', async () => {
    const { options, pin: small } = release(GOOD, Buffer.from('another archive'));
    const k6 = await findK6({ host: host(options), pin: small });
    assert.match(whyOf(k6, 'release') ?? '', /SHA-256 .* not the pinned .* discarded/);
    assert.ok(!done.includes('tar -xf'));
  });

  it('a platform without a pinned release continues with the build', async () => {
    const k6 = await findK6({ host: host({ arch: 'riscv64' }) });
    assert.equal(whyOf(k6, 'release'), 'no release is pinned for linux on riscv64');
    assert.equal(whyOf(k6, 'build'), 'Go 1.25 or newer is needed');
  });

  it('a Go that is too old is reported', async () => {
    const k6 = await findK6({ host: host({ run: recording({ go: async () => ended('go1.19.8\n') }) }) });
    assert.equal(whyOf(k6, 'build'), 'Go 1.25 or newer is needed, found 1.19.8');
  });

  it('a failed build leaves no file', async () => {
    const go = async (args: readonly string[]) =>
      args[0] === 'env' ? ended('go1.25.0\n') : ended('no space left\n', 1);
    const k6 = await findK6({ host: host({ run: recording({ go }) }) });
    assert.equal(whyOf(k6, 'build'), 'go build: exit code 1: no space left');
    assert.deepEqual(await readdir(dirname(cached)), []);
  });
});

test('long work is reported every half minute until it ends, also where it fails', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const lines: string[] = [];
  const report = (line: string): void => void lines.push(line);
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_, no) => {
    reject = no;
  });
  const work = withSignsOfLife('building it', report, promise);
  t.mock.timers.tick(70_000);
  assert.deepEqual(lines, ['k6: still building it (30 s)', 'k6: still building it (60 s)']);
  reject(new Error('failed'));
  await assert.rejects(work, /failed/);
  t.mock.timers.tick(60_000);
  assert.equal(lines.length, 2);
});
