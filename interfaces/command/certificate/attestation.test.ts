import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { after, before, describe, test } from 'node:test';
import { copyOf, edit, editSigned, forge, keyPair } from '../../../evaluation/testing/cli/attested.ts';
import { exits, run } from '../../../evaluation/testing/cli/command.ts';
import { simulatedRun } from '../../../evaluation/testing/cli/simulated-run.ts';
import { temporaryFolder } from '../../../evaluation/testing/tools/folder.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { findTool } from '../../../tools/tools.ts';

const folder = temporaryFolder({ after });

const vendor = keyPair(folder, 'vendor');
const examiner = keyPair(folder, 'examiner');
const certified = join(folder, 'run');

/** A copy of the certified and signed run, to be changed. */
const copied = (name: string): string => copyOf(certified, name);

/** Makes the journal and the report say that this version of the suite made them. */
function madeBy(copy: string, version: string): void {
  const own = /(?<="suite": ?\{\s*"name": ?"petstore-conformance",\s*"version": ?")[^"]+/;
  for (const name of ['journal.ndjson', 'report.json'])
    edit(join(copy, name), (text) => text.replace(own, version));
}

const verify = (code: number, t: TestContext, copy: string) =>
  exits(code, t, ['verify', copy, '--key', vendor.pub]);

describe('an attestation', () => {
  before(async () => {
    const t = { after: () => undefined } as never;
    await simulatedRun(0, t, certified);
    const attested = await exits(0, t, ['attest', certified, '--key', vendor.own]);
    assert.match(attested.out, /does not prove which server or client was tested/);
  });

  test('is true where nothing was changed, and says first what it is about', async (t) => {
    const { out } = await verify(3, t, certified);
    const [target, plan, window, when, suite, specification, signed, by] = out.split('\n');
    assert.match(target ?? '', /^Target +http:\/\/127\.0\.0\.1:\d+\/v1$/);
    assert.match(plan ?? '', /^Plan +free: 60 requests in a minute of 2 s, 1,000 in a day/);
    assert.match(window ?? '', /^Window +2 s$/);
    assert.match(when ?? '', /^Run +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    assert.match(suite ?? '', /^Suite +\d+\.\d+\.\d+$/);
    assert.match(specification ?? '', /^Specification +1\.0\.0 \(sha256:[0-9a-f]{64}\)$/);
    assert.match(signed ?? '', /^Signed +on \d{4}-\d\d-\d\d, valid until \d{4}-\d\d-\d\d$/);
    assert.match(by ?? '', /^By +.*vendor\.pub\.pem \(key [0-9a-f]{16}…\)$/);
    assert.match(out, /! The certificate is true, but it does not say that its subject conforms/);
    assert.match(out, /The windows of the run were no minute and day/);
    assert.match(out, /Not signed and not checked in this folder: .*junit\.xml/);
  });

  test('is true without its page, and says that the page was not checked', async (t) => {
    const copy = copied('without page');
    rmSync(join(copy, 'report.html'));
    assert.match(
      (await verify(3, t, copy)).out,
      /report\.html was signed, but it is not in the folder, so it was not checked/,
    );
    await exits(0, t, ['attest', copy, '--key', vendor.own]);
    assert.match((await verify(3, t, copy)).out, /No page for readers was signed; report\.json was/);
    cpSync(join(certified, 'report.html'), join(copy, 'report.html'));
    assert.match((await verify(1, t, copy)).out, /report\.html was added after the attestation was signed/);
  });

  test('has to be signed by each key that is named, as when an examiner countersigns it', async (t) => {
    const copy = copied('countersigned');
    const both = ['verify', copy, '--key', vendor.pub, '--key', examiner.pub];
    await exits(1, t, both);
    await exits(0, t, ['attest', copy, '--key', examiner.own, '--countersign']);
    await exits(3, t, both);
  });

  test('is countersigned only for the run that lies beside it, and signed only where it holds', async (t) => {
    const failing = join(folder, 'failing');
    await simulatedRun(1, t, failing, findFault('too-many-requests-200'));
    cpSync(join(certified, 'attestation.json'), join(failing, 'attestation.json'));
    const before = readFileSync(join(failing, 'attestation.json'), 'utf8');
    const wrong = await exits(1, t, ['attest', failing, '--key', examiner.own, '--countersign']);
    assert.match(wrong.out, /✗ Nothing was signed\.\n.*journal\.ndjson was changed after it was signed/);
    assert.equal(readFileSync(join(failing, 'attestation.json'), 'utf8'), before);
    editSigned(failing, vendor, () => '{"_type":"https://in-toto.io/Statement/v1"}');
    const other = await exits(2, t, ['attest', failing, '--key', examiner.own, '--countersign']);
    assert.match(other.err, /no statement about a test result/);
  });

  test('is true with a field that nobody checks, which is named, and not countersigned', async (t) => {
    const copy = copied('extended');
    editSigned(copy, vendor, (statement) =>
      statement.replace('"predicate":{', '"predicate":{"level\\u001b":"core + bans",'),
    );
    const { out } = await verify(3, t, copy);
    assert.match(out, /Signed, but not checked: predicate\.level\S*\.$/m);
    assert.deepEqual([out.includes('core + bans'), out.includes('\u001b')], [false, false]);
    const signing = await exits(2, t, ['attest', copy, '--key', examiner.own, '--countersign']);
    assert.match(signing.err, /fields that this program does not check: sign the run anew/);
  });

  test('never has a text of the signer on a terminal as it is', async (t) => {
    const copy = copied('hostile statement');
    editSigned(copy, vendor, (statement) =>
      statement.replace(/"signedAt":"[^"]+"/, '"signedAt":"\\u001b]0;owned\\u0007"'),
    );
    const { out } = await verify(3, t, copy);
    assert.match(out, /Signed +on an unknown day/);
    assert.doesNotMatch(out, /owned/);
    edit(join(copy, 'journal.ndjson'), (text) => text.replace('"plan":"free"', '"plan":"\\u001b[2Jfree"'));
    const claimed = (await verify(1, t, copy)).out;
    assert.match(
      claimed,
      /^Claimed, and not verified:\nTarget +http:.*\nPlan .*free\nWindow +2 s\nRun .*\nSuite .*\nSpecification .*\nSigned .*\nBy .*pem.*\n(?: .*\n)?✗/,
    );
    assert.ok(!claimed.includes('\u001b'));
  });

  test('that nests deeper than any is no attestation', async (t) => {
    const copy = copied('deep');
    edit(join(copy, 'attestation.json'), () => `{"payload":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    const { code, err } = await run(t, ['verify', copy, '--key', vendor.pub]);
    assert.deepEqual([code, /is not an attestation/.test(err)], [2, true], err);
  });

  test('of an earlier version is judged again under the set that it scores', async (t) => {
    const copy = copied('earlier');
    madeBy(copy, '0.0.9');
    await forge(copy, vendor);
    const earlier = await verify(3, t, copy);
    assert.match(earlier.out, /finds the same verdicts under the set 1\.0\.0.*page show was not compared/);
    assert.doesNotMatch(earlier.out, /shows what report\.json states/);
    const signing = await run(t, ['attest', copy, '--key', vendor.own]);
    assert.match(signing.err, /a run of another version of the suite/);
    const warn = ['"verdict": "not-tested"', '"verdict": "warn"'] as const;
    edit(join(copy, 'report.json'), (text) => text.replace(...warn));
    await forge(copy, vendor);
    assert.match(
      (await verify(2, t, copy)).err,
      /judges otherwise: \S+ is "warn" in the report, but the journal gives "not-tested"/,
    );
  });

  test('gives no verdict for a later version of the suite, nor without an attestation', async (t) => {
    const copy = copied('later');
    madeBy(copy, '99.0.0');
    await forge(copy, vendor);
    assert.match((await verify(2, t, copy)).err, /judged by version 99\.0\.0 of the suite/);
    rmSync(join(copy, 'attestation.json'));
    assert.match((await verify(2, t, copy)).err, /attestation\.json cannot be read/);
  });

  test('never repeats a private key, and rejects one where a public key belongs', async (t) => {
    const wrong = await exits(2, t, ['verify', certified, '--key', vendor.own]);
    assert.match(wrong.err, /holds a private key: verify with the public one/);
    const secret = readFileSync(vendor.own, 'utf8').split('\n')[1] ?? '';
    const attestation = readFileSync(join(certified, 'attestation.json'), 'utf8');
    assert.ok(secret.length > 20 && !wrong.err.includes(secret) && !attestation.includes(secret));
  });

  test('is read by verifiers that are not ours: securesystemslib and in-toto-attestation', async (t) => {
    const { path: python, skip } = await findTool('in-toto');
    if (skip !== false) return t.skip(skip);
    const script = `
import json, sys
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from in_toto_attestation.v1.statement import Statement
from in_toto_attestation.v1.resource_descriptor import ResourceDescriptor
from google.protobuf import json_format
import in_toto_attestation.v1.statement_pb2 as pb
text = open(sys.argv[1]).read()
envelope = Envelope.from_dict(json.loads(text))
key = SSlibKey.from_crypto(load_pem_public_key(open(sys.argv[2], 'rb').read()))
key.keyid = json.loads(text)['signatures'][0]['keyid']
envelope.verify([key], 1)
message = json_format.Parse(envelope.payload.decode(), pb.Statement())
Statement.copy_from_pb(message).validate()
print(message.predicate_type, [s.name for s in message.subject])
`;
    const out = execFileSync(python, ['-c', script, join(certified, 'attestation.json'), vendor.pub], {
      encoding: 'utf8',
    });
    assert.equal(
      out.trim(),
      "https://in-toto.io/attestation/test-result/v0.1 ['journal.ndjson', 'report.json', 'report.html']",
    );
  });
});
