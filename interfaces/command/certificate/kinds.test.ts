import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { after, before, describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Tampering } from '../../../evaluation/testing/cli/attested.ts';
import { copyOf, edit, forge, keyPair, replacing } from '../../../evaluation/testing/cli/attested.ts';
import type { EndedCommand } from '../../../evaluation/testing/cli/command.ts';
import { exits, plansFile, run } from '../../../evaluation/testing/cli/command.ts';
import { simulatedRun } from '../../../evaluation/testing/cli/simulated-run.ts';
import { nodeClient } from '../../../evaluation/testing/clients/recorded.ts';
import { whyTooBusy } from '../../../evaluation/testing/tools/busy-machine.ts';
import { temporaryFolder } from '../../../evaluation/testing/tools/folder.ts';
import { k6Path, withoutK6 } from '../../../evaluation/testing/tools/k6.ts';
import { fieldsIn, writeAttestation } from './files.ts';
import { pageProblems } from './verdicts-in.ts';

const folder = temporaryFolder({ after });
const vendor = keyPair(folder, 'vendor');

/** A kind of run, and how one is made in a folder. */
interface Kind {
  readonly command: string;
  readonly skip: false | string;
  readonly make: (t: TestContext, into: string) => Promise<EndedCommand>;
  readonly subjects: RegExp;
  /** Found by the digests, which are those of every file that is signed. */
  readonly changed: Readonly<Record<string, Tampering>>;
  /** Found although the vendor signed afterwards. */
  readonly signedAgain: Readonly<Record<string, Tampering>>;
}

const samplesOf = (copy: string): string =>
  join(copy, readdirSync(copy).find((name) => name.startsWith('samples.ndjson')) ?? '');

/** Changes the samples, compressed as they are. */
function editSamples(copy: string, change: (text: string) => string): void {
  const path = samplesOf(copy);
  const bytes = readFileSync(path);
  const text = change((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString());
  writeFileSync(path, path.endsWith('.gz') ? gzipSync(text) : text);
}

const withoutTenth = (text: string): string => text.replace(/\{"key":"key","n":10,.*\n/, '');

/** The file that states when the run began, moved to a year in which nothing was sent. */
const movedTo = (file: string): Readonly<Record<string, Tampering>> =>
  Object.fromEntries(
    ['2020', '2030'].map((year) => [
      `the year ${year}`,
      [
        replacing(file, /"startedAt": ?"\d{4}/, `"startedAt":"${year}`),
        new RegExp(`lasted from "${year}-.*and its requests were sent at another time`),
      ],
    ]),
  );

const JOURNAL_AND_REPORTS = /"name":"journal\.ndjson".*"name":"report\.json".*"name":"report\.html"/;

/** A client that waits for nothing: it violates, which is attested as well. */
const HASTY = nodeClient(
  'for (let at = 0; at < Number(process.env.PETSTORE_CALLS ?? 1); at += 1) await list();',
);

const certify: Kind = {
  command: 'certify',
  skip: false,
  make: (t, into) => simulatedRun(0, t, into),
  subjects: JOURNAL_AND_REPORTS,
  changed: {
    'a changed byte of the journal': [
      replacing('journal.ndjson', '"status":200', '"status":201'),
      /journal\.ndjson was changed after it was signed/,
    ],
    'a missing report': [(copy) => rmSync(join(copy, 'report.json')), /report\.json is missing/],
    'an edited statement': [
      (copy) =>
        edit(join(copy, 'attestation.json'), (text) => {
          const envelope = JSON.parse(text);
          const statement = Buffer.from(envelope.payload, 'base64')
            .toString()
            .replace('"failedTests":[]', '"failedTests":["X"]');
          return JSON.stringify({ ...envelope, payload: Buffer.from(statement).toString('base64') });
        }),
      /No signature is valid for the key in .*vendor\.pub\.pem/,
    ],
  },
  signedAgain: {
    'a removed exchange': [
      replacing('journal.ndjson', /\{"kind":"exchange","n":17,.*\n/, ''),
      /The report differs from what the journal gives: .*"remarks"/,
    ],
    ...movedTo('journal.ndjson'),
    'a name twice in a line': [
      replacing('journal.ndjson', '{"kind":"exchange","n":17,', '{"kind":"exchange","n":16,"n":17,'),
      /journal\.ndjson has a name twice in an object of line \d+/,
    ],
    'the first line of another run': [
      (copy) =>
        edit(join(copy, 'journal.ndjson'), (text) => `${text}${text.slice(0, text.indexOf('\n') + 1)}`),
      /The report differs from what the journal gives: .*"remarks"/,
    ],
    'a page edited by hand': [
      replacing('report.html', 'not tested', 'pass'),
      /report\.html shows something else than what report\.json states/,
    ],
    'a report that breaks its schema': [
      replacing('report.json', '"outcome": "conforms",', '"outcome": "conforms", "baseline": 1,'),
      /report\.json breaks the schema of reports, so report\.html cannot be compared/,
    ],
    'another target': [
      replacing('report.json', /"baseUrl": "[^"]+"/, '"baseUrl": "https://api.example.com/v1"'),
      /The report differs from what the journal gives: "target"\./,
    ],
    'another specification': [
      replacing('report.json', /"digest": "sha256:[0-9a-f]{8}/, '"digest": "sha256:00000000'),
      /judged by another specification/,
    ],
  },
};

const client: Kind = {
  command: 'certify-client',
  skip: false,
  make: (t, into) => run(t, ['certify-client', '--out', into, '--', ...HASTY]),
  subjects: JOURNAL_AND_REPORTS,
  changed: {},
  signedAgain: {
    'a removed exchange': [
      replacing('journal.ndjson', /\{"kind":"arrival","n":2,.*\n/, ''),
      /The report differs from what the journal gives: .*"remarks"/,
    ],
    ...movedTo('journal.ndjson'),
    'a page edited by hand': [
      replacing('report.html', 'requests', 'replies'),
      /report\.html shows something else than what report\.json states/,
    ],
  },
};

const load: Kind = {
  command: 'load',
  skip: withoutK6,
  make: (t, into) =>
    run(t, ['load', 'smoke', '--plans', plansFile(folder, 2), '--out', into], { env: { K6_BIN: k6Path } }),
  subjects: /"name":"load-run\.json".*"name":"report\.json".*"name":"report\.html".*"name":"samples\.ndjson/,
  changed: {
    'a changed byte of the samples': [
      (copy) => editSamples(copy, (text) => text.replace('"status":200', '"status":201')),
      /samples\.ndjson(\.gz)?" was changed after it was signed/,
    ],
    'missing samples': [(copy) => rmSync(samplesOf(copy)), /samples\.ndjson(\.gz)?" is missing/],
    'added samples': [
      (copy) => writeFileSync(join(copy, 'more.ndjson'), ''),
      /"more\.ndjson" was added after the attestation was signed/,
    ],
  },
  signedAgain: {
    'a removed exchange': [
      (copy) => editSamples(copy, withoutTenth),
      /Key key: the report counts \d+ requests, and the samples hold \d+/,
    ],
    ...movedTo('load-run.json'),
    'a name twice in a sample': [
      (copy) => editSamples(copy, (text) => text.replace('"status":200', '"status":429,"status":200')),
      /samples\.ndjson(\.gz)? has a name twice in an object of line \d+/,
    ],
    'an ending that the samples do not show': [
      (copy) => editSamples(copy, withoutTenth),
      /The run did not end as the report says\. From the samples: The samples are not complete/,
    ],
    'a page edited by hand': [
      replacing('report.html', 'requests', 'replies'),
      /report\.html shows something else than what report\.json states/,
    ],
    'another number of requests': [
      replacing('report.json', /"total": \d+/, '"total": 9'),
      /The report differs from what the samples give: "requests"/,
    ],
    'another latency': [
      replacing('report.json', /"p99": [\d.]+/, '"p99": 0.5'),
      /The report differs from what the samples give: "latencyMs"/,
    ],
  },
};

for (const { command, skip, make, subjects, changed, signedAgain } of [certify, client, load]) {
  describe(`an attestation of a run of ${command}`, { skip }, () => {
    const certified = join(folder, command);
    const verify = (code: number, t: TestContext, copy: string) =>
      exits(code, t, ['verify', copy, '--key', vendor.pub]);

    before(async () => {
      const t = { after: () => undefined } as never;
      const done = await make(t, certified);
      // What is attested need not have a verdict.
      assert.ok(done.code === 0 || done.code === 1 || whyTooBusy(done) !== undefined, done.out + done.err);
      await exits(0, t, ['attest', certified, '--key', vendor.own]);
    });

    test('is true where nothing was changed, and names the command and every file', async (t) => {
      const { out } = await verify(3, t, certified);
      assert.match(out, /! The certificate is true, but it does not say that its subject conforms/);
      const { payload } = JSON.parse(readFileSync(join(certified, 'attestation.json'), 'utf8'));
      const statement = Buffer.from(payload, 'base64').toString();
      assert.match(statement, subjects);
      assert.match(statement, new RegExp(`"command":"${command}"`));
    });

    for (const [what, [change, sentence]] of Object.entries(changed)) {
      test(`is false with ${what}`, async (t) => {
        const copy = copyOf(certified, what);
        change(copy);
        assert.match((await verify(1, t, copy)).out, sentence);
      });
    }

    for (const [what, [change, sentence]] of Object.entries(signedAgain)) {
      test(`is false with ${what}, although it was signed afterwards`, async (t) => {
        const copy = copyOf(certified, `signed ${what}`);
        change(copy);
        const before = readFileSync(join(copy, 'attestation.json'), 'utf8');
        const refused = await exits(1, t, ['attest', copy, '--key', vendor.own]);
        assert.match(refused.out, /✗ Nothing was signed\./);
        assert.match(refused.out, sentence);
        assert.equal(readFileSync(join(copy, 'attestation.json'), 'utf8'), before);
        await forge(copy, vendor);
        assert.match((await verify(1, t, copy)).out, sentence);
      });
    }
  });
}

test('an attestation is written into the folder, and never where a link in it leads', (t) => {
  const folder = temporaryFolder(t);
  const other = join(temporaryFolder(t), 'other');
  writeFileSync(other, 'of somebody else');
  for (const name of ['attestation.json', 'attestation.json.draft']) symlinkSync(other, join(folder, name));
  const path = writeAttestation(folder, 'signed');
  assert.equal(readFileSync(path, 'utf8'), 'signed');
  assert.ok(!lstatSync(path).isSymbolicLink());
  assert.equal(readFileSync(other, 'utf8'), 'of somebody else');
});

test('a pipe in place of a page ends with a sentence', { skip: process.platform === 'win32' }, (t) => {
  const folder = temporaryFolder(t);
  execFileSync('mkfifo', [join(folder, 'report.html')]);
  assert.throws(() => pageProblems(folder, '.'), /report\.html cannot be read: it is not a file/);
});

test('a report is read as none in which an object has a name twice, as another reader may take the other value, or that nests without end', (t) => {
  const path = join(temporaryFolder(t), 'report.json');
  const [honest, text] = ['"outcome": "violates"', '{"a": "b\\": c", "__proto__": [{"x": 1}, {"x": ":"}]'];
  writeFileSync(path, `${text}, ${honest}}`);
  assert.deepEqual(fieldsIn(path)['outcome'], 'violates');
  writeFileSync(path, `${text}, "outcome" : "conforms", ${honest}}`);
  assert.deepEqual(fieldsIn(path), {});
  writeFileSync(path, `${text.replace('"x": 1', '"x": 1, "\\u0078": 2')}, ${honest}}`);
  assert.deepEqual(fieldsIn(path), {});
  writeFileSync(path, `${text}, "x": ${'['.repeat(100_000)}${']'.repeat(100_000)}, ${honest}}`);
  assert.deepEqual(fieldsIn(path), {});
});
