import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Commands } from '../../evaluation/testing/k6/fake-host.ts';
import { ended, fakeHost, program } from '../../evaluation/testing/k6/fake-host.ts';
import type { K6 } from './find.ts';
import { findK6, K6BinError } from './find.ts';
import type { Host, RunOptions } from './host.ts';
import type { Pin } from './pin.ts';
import { pin } from './pin.ts';

// No network, no k6, no Go: files that only look like programs, and a host that
// answers for them. A file answers `version` with its own text.

const GOOD = 'k6 v2.2.0 (go1.26, linux/amd64)\n';
const ARCHIVE = Buffer.from('an archive');

let folder = '';
let cached = '';
let offered: Host;
/** What was downloaded and run, in order; `version` questions left out. */
let done: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-k6-'));
  cached = join(folder, 'cache', 'petstore-conformance', 'k6', '2.2.0', 'k6');
  done = [];
  offered = host({});
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A machine where GitHub is out of reach and Go is missing, unless `over` says otherwise. */
const host = (over: Partial<Host>): Host => ({ ...fakeHost(folder), ...over });

/** Runs the `tools` by name, and notes that it did. */
const answering = (tools: Commands): Host['run'] => {
  const noted = Object.entries(tools).map(([name, tool]): [string, Commands[string]] => [
    name,
    (args, options) => {
      done.push(`${name} ${args[0]}`);
      return tool(args, options);
    },
  ]);
  return fakeHost(folder, Object.fromEntries(noted)).run;
};

const goBuild = (text: string) => ({
  go: async (args: readonly string[]) => {
    if (args[0] === 'env') return ended('go1.26.8\n');
    await program(args[2] ?? '', text);
    return ended('');
  },
});

/** A release that unpacks to a program, with the sum of `pinned`. */
const release = (text: string, sent = ARCHIVE): { options: Partial<Host>; pin: Pin } => ({
  options: {
    download: (url) => {
      done.push(`download ${url}`);
      return Promise.resolve(sent);
    },
    run: answering({
      tar: async (_args, { cwd = '' }) => {
        await program(join(cwd, 'k6'), text);
        return ended('');
      },
    }),
  },
  pin: {
    ...pin,
    archives: {
      'linux-x64': { file: 'k6.tar.gz', sha256: createHash('sha256').update(ARCHIVE).digest('hex') },
    },
  },
});

const whyOf = (k6: K6, source: string) =>
  k6.kind === 'missing' ? k6.tried.find((one) => one.source === source)?.why : `found in ${k6.source}`;

describe('where k6 is found', () => {
  it('K6_BIN comes before everything', async () => {
    const path = await program(join(folder, 'mine', 'k6'), GOOD);
    await program(join(folder, 'bin', 'k6'), GOOD);
    const k6 = await findK6({ host: { ...offered, env: { ...offered.env, K6_BIN: path } } });
    assert.deepEqual(k6, {
      kind: 'found',
      path,
      version: '2.2.0',
      source: 'K6_BIN',
      because: 'K6_BIN names it.',
    });
  });

  it('PATH comes before the cache', async () => {
    const path = await program(join(folder, 'bin', 'k6'), GOOD);
    await program(cached, GOOD);
    const k6 = await findK6({ host: offered });
    assert.ok(k6.kind === 'found' && k6.source === 'PATH' && k6.path === path);
  });

  it('an old k6 in PATH is said and passed over for a newer one behind it', async () => {
    const old = await program(join(folder, 'old', 'k6'), 'k6 v0.57.0 (go1.23)\n');
    const path = await program(join(folder, 'bin', 'k6'), GOOD);
    const said: string[] = [];
    const env = { ...offered.env, PATH: [dirname(old), dirname(path)].join(delimiter) };
    const k6 = await findK6({ host: { ...offered, env }, say: (line) => said.push(line) });
    assert.ok(k6.kind === 'found' && k6.path === path);
    assert.deepEqual(said, [`k6: passing over ${old} is k6 0.57.0, not 2.x`]);
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
    assert.deepEqual(await readdir(dirname(cached)), ['k6'], 'nothing else is left in the cache');
  });

  it('a build comes last, pinned and without the flags of the user', async () => {
    let built: RunOptions | undefined;
    const { go } = goBuild(GOOD);
    const run = answering({
      go: (args, options) => {
        if (args[0] === 'build') built = options;
        return go(args);
      },
    });
    const k6 = await findK6({ host: host({ run }) });
    assert.ok(k6.kind === 'found' && k6.source === 'build' && k6.path === cached);
    assert.match(built?.env?.['GOFLAGS'] ?? '', /-mod=readonly/);
    assert.ok((await readdir(built?.cwd ?? '')).includes('go.sum'));
    assert.deepEqual(await readdir(dirname(cached)), ['k6'], 'nothing else is left in the cache');
  });

  it('two builds at once both end with a whole k6', async () => {
    const both = [1, 2].map(() => findK6({ host: host({ run: answering(goBuild(GOOD)) }) }));
    for (const k6 of await Promise.all(both)) assert.ok(k6.kind === 'found' && k6.path === cached);
    assert.equal(await readFile(cached, 'utf8'), GOOD);
    assert.deepEqual(await readdir(dirname(cached)), ['k6']);
  });
});

describe('where k6 is not found', () => {
  for (const [what, text, says] of [
    [
      'is not there',
      undefined,
      /K6_BIN must name a k6 2\.x: .*mine cannot be run \(ENOENT\)\. Mend it, or unset it/,
    ],
    ['is too old', 'k6 v1.8.1 (go1.25)\n', /mine is k6 1\.8\.1, not 2\.x/],
    ['is no k6', 'hello\n', /mine does not say a version of k6/],
  ] as const) {
    it(`a K6_BIN that ${what} is an error and not passed over`, async () => {
      const path = join(folder, 'mine');
      if (text !== undefined) await program(path, text);
      await program(join(folder, 'bin', 'k6'), GOOD);
      const asked = findK6({ host: { ...offered, env: { ...offered.env, K6_BIN: path } } });
      await assert.rejects(asked, (error) => error instanceof K6BinError && says.test(error.message));
    });
  }

  it('every place is named with its reason, and one line says what to do', async () => {
    const k6 = await findK6({ host: offered });
    assert.ok(k6.kind === 'missing');
    assert.deepEqual(k6.tried, [
      { source: 'PATH', why: 'no k6 in it' },
      { source: 'cache', why: 'nothing kept yet' },
      { source: 'release', why: 'github.com: not found' },
      { source: 'build', why: 'Go 1.25 or newer is needed' },
    ]);
    assert.doesNotMatch(k6.advice, /\n/);
  });

  it('looking without installing touches neither the network nor Go', async () => {
    const run = answering(goBuild(GOOD));
    const k6 = await findK6({ host: host({ ...release(GOOD).options, run }), install: false });
    assert.equal(k6.kind, 'missing');
    assert.deepEqual(done, []);
  });

  it('an archive with another SHA-256 is never unpacked', async () => {
    const { options, pin: small } = release(GOOD, Buffer.from('another archive'));
    const k6 = await findK6({ host: host(options), pin: small });
    assert.match(whyOf(k6, 'release') ?? '', /SHA-256 .* not the pinned .* thrown away/);
    assert.ok(!done.includes('tar -xf'));
  });

  it('a platform without a pinned release goes on to the build', async () => {
    const k6 = await findK6({ host: host({ arch: 'riscv64' }) });
    assert.equal(whyOf(k6, 'release'), 'no release is pinned for linux on riscv64');
    assert.equal(whyOf(k6, 'build'), 'Go 1.25 or newer is needed');
  });

  it('a Go that is too old is said', async () => {
    const k6 = await findK6({ host: host({ run: answering({ go: async () => ended('go1.19.8\n') }) }) });
    assert.equal(whyOf(k6, 'build'), 'Go 1.25 or newer is needed, this is 1.19.8');
  });

  it('a build that fails leaves nothing behind', async () => {
    const go = async (args: readonly string[]) =>
      args[0] === 'env' ? ended('go1.25.0\n') : ended('no space left\n', 1);
    const k6 = await findK6({ host: host({ run: answering({ go }) }) });
    assert.equal(whyOf(k6, 'build'), 'go build: exit code 1: no space left');
    assert.deepEqual(await readdir(dirname(cached)), []);
  });
});
