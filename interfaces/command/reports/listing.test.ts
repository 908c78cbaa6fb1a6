import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyOf, edit, forge, keyPair } from '../../../evaluation/testing/cli/attested.ts';
import { commandIn } from '../../../evaluation/testing/cli/command.ts';
import { simulatedRun } from '../../../evaluation/testing/cli/simulated-run.ts';
import { assertValidHtml } from '../../../evaluation/testing/reports/contracts.ts';
import { HOSTILE } from '../../../evaluation/testing/reports/records.ts';
import { renderListing } from '../../../reports/matrix.ts';
import { sampleOf } from '../../../tools/sample.ts';
import type { JudgedAgain } from '../../certificate/attested-run.ts';
import { statementOf } from '../../certificate/statement.ts';
import { rowOf } from './listing-rows.ts';

const judged = (rest: Partial<JudgedAgain> = {}, text = 'Gadget'): JudgedAgain => ({
  report: {
    suite: { version: '0.1.0' },
    spec: { version: '1.0.0', digest: 'sha256:a' },
    outcome: 'conforms',
    requirements: [{ id: 'LIST-1', verdict: 'pass' }],
  },
  certified: {
    subject: `https://${text}.example/v1`,
    plan: undefined,
    bundledServer: false,
    partial: false,
    startedAt: '2026-11-25T10:00:00.000Z',
    words: 'conforms: core + day',
    product: { name: text, vendor: text, version: text },
  },
  contradictions: [],
  ...rest,
});
const statement = statementOf({ kind: 'certify', digests: {} }, judged().report, {
  signedAt: new Date('2026-11-25'),
  expiresAt: new Date('2027-02-23'),
});
const now = new Date('2026-11-26');
const page = (...rows: readonly ReturnType<typeof rowOf>[]) =>
  renderListing(rows, { day: '2026-11-26', suite: '0.2.0' });

test('a row has product, version, level, run, expiry, suite and key, and says what a later version finds besides', () => {
  const earlier = { set: '1.0.0', besides: [{ id: 'LIST-9', verdict: 'fail' }] };
  const row = rowOf('a', { kind: 'true', statement, judged: judged({ earlier }) }, ['vendor'], now);
  const text = page(row).replaceAll(/(?:<[^>]+>|\s)+/g, ' ');
  for (const part of [
    'Gadget, Gadget',
    '✓ +conforms: core \\+ day',
    '2026-11-25',
    '2027-02-23',
    '0\\.1\\.0',
    'vendor',
  ])
    assert.match(text, new RegExp(part));
  assert.match(text, /1 of 1 certificates conform/);
  assert.match(
    text,
    /Outside of the set 1\.0\.0, which the certificate scores, this version finds: LIST-9 fail/,
  );
});

test('a row whose verdict changed says so, and is not counted as conforming', () => {
  const sentence = 'Version 0.2.0 judges otherwise.';
  const row = rowOf('a', { kind: 'changed', statement, judged: judged(), sentence }, ['vendor'], now);
  assert.match(
    page(row),
    /verdict changed<\/span><br><span class="quiet">Version 0\.2\.0 judges otherwise\./,
  );
  assert.match(page(row), /0 of 1 certificates conform/);
});

test('a mark ends a year after its run, however long its certificate is valid', () => {
  const row = rowOf('a', { kind: 'true', statement, judged: judged() }, ['vendor'], new Date('2027-11-26'));
  assert.equal(row.result, 'inconclusive');
  assert.match(page(row), /this one ended on 2027-11-25/);
});

test('the page is valid HTML without scripts, whatever the texts of a row are', async () => {
  for (const text of sampleOf(HOSTILE)) {
    const rows = [
      rowOf(text, { kind: 'true', statement, judged: judged({}, text) }, [text], now),
      rowOf(text, { kind: 'false', sentences: [text, ...Array(50).fill(text)] }, [], now),
    ] as const;
    const html = page(...rows);
    await assertValidHtml(html);
    assert.doesNotMatch(html, /<script/i);
    assert.match(html, /And 46 more\./);
  }
});

test('matrix --keys lists each folder, and a folder that cannot be judged is a row with its sentence', async (t) => {
  const here = commandIn(t);
  const [known, other] = [keyPair(here.folder, 'acme'), keyPair(here.folder, 'other')];
  here.write('keys/acme.pub.pem', here.read('acme.pub.pem'));
  await simulatedRun(0, t, here.path('run'));
  // The configuration file states the product of a target; that of the bundled server is stated here.
  edit(here.path('run/journal.ndjson'), (text) =>
    text.replace('"kind":"run"', '"kind":"run","product":{"name":"Shop <b>","version":"3.1"}'),
  );
  await here.run('judge run --out run');
  await here.exits(0, 'attest run --key acme.pem');
  const copy = (name: string) => copyOf(here.path('run'), name);
  edit(join(copy('tampered'), 'journal.ndjson'), (text) => text.replace('"status":200', '"status":201'));
  await forge(copy('foreign'), other);
  const piped = join(copy('piped'), 'journal.ndjson');
  rmSync(piped);
  execFileSync('mkfifo', [piped]);
  const cut = copy('cut');
  writeFileSync(join(cut, 'journal.ndjson'), '{');
  await forge(cut, known).catch(() => undefined);
  const folders = 'run run-tampered run-foreign run-piped run-cut nothing';
  await here.exits(0, `matrix ${folders} --keys keys --format html --out listing.html`);
  const rows = here.read('listing.html').split('<tr>').slice(2);
  const expected = [
    /Shop &lt;b&gt;.*3\.1.*does not certify.*no minute and day.*acme/s,
    /not true.*journal\.ndjson was changed/s,
    /not checked.*No key of this listing signed it/s,
    /not true|not checked/,
    /not true|not checked/,
    /not checked.*attestation\.json cannot be read/s,
  ];
  assert.equal(rows.length, expected.length);
  for (const [at, sentence] of expected.entries()) assert.match(rows[at] ?? '', sentence);
});
