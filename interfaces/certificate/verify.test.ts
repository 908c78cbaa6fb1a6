import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import type { AttestedReport, AttestedRun, Certified, JudgedAgain } from './attested-run.ts';
import { besidesOf, shortcomingsOf } from './attested-run.ts';
import type { Envelope } from './envelope.ts';
import { envelopeOf, privateKey, publicKey, readEnvelope, signed as signedBy } from './envelope.ts';
import type { Statement } from './statement.ts';
import { statementOf, uncheckedFields } from './statement.ts';
import type { Comparison, Verification } from './verify.ts';
import { verify, verifyStatement } from './verify.ts';

const now = new Date('2026-11-25T10:00:00Z');
const later = (days: number): Date => new Date(now.getTime() + days * 86_400_000);
const specification = { version: '1.0.0', digest: `sha256:${'a'.repeat(64)}` };
const report: AttestedReport = {
  suite: { version: '0.1.0' },
  spec: specification,
  outcome: 'conforms',
  requirements: [{ id: 'LIST-1', verdict: 'pass' }],
};
const LIMITS = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
const certified = (name: string, limits: Partial<typeof LIMITS> = {}): Certified => ({
  subject: 'https://api.example.com/v1',
  plan: { name, limits: { ...LIMITS, ...limits } },
  bundledServer: false,
  words: 'conforms: core',
  partial: false,
  startedAt: now.toISOString(),
});
const run: AttestedRun = {
  kind: 'certify',
  digests: { 'journal.ndjson': 'b'.repeat(64), 'report.json': 'c'.repeat(64) },
  report,
  judgeAgain: async () => ({ report, certified: certified('free'), contradictions: [] }),
};
/** The same run, judged again with another result. */
const judging = (more: Partial<JudgedAgain>): AttestedRun => ({
  ...run,
  judgeAgain: async () => ({ ...(await run.judgeAgain()), ...more }),
});

const comparison: Comparison = { run, suiteVersion: '0.1.0', specification, now };
const honest = statementOf(run, report, { signedAt: now, expiresAt: later(90) });
const { subject, predicate } = honest;
const signed = (signedAt: Date, expiresAt: Date): Statement =>
  statementOf(run, report, { signedAt, expiresAt });

/** A verification is of this kind, or false with this sentence. */
function assertFound(found: Verification, expected: RegExp | Verification['kind']): void {
  assert.equal(found.kind, typeof expected === 'string' ? expected : 'false');
  if (found.kind === 'false') assert.match(found.sentences.join('\n'), RegExp(expected));
}

const other = (verdict: string, outcome: AttestedReport['outcome'] = 'conforms'): AttestedReport => ({
  ...report,
  outcome,
  requirements: [{ id: 'LIST-1', verdict }],
});

const begunAfter = (days: number) =>
  judging({ certified: { ...certified('free'), startedAt: later(days).toISOString() } });
const page = { name: 'report.html', digest: { sha256: 'd' } };
const outside = { name: '../../etc/passwd', digest: { sha256: 'd' } };
const twice = [...predicate.configuration, ...predicate.configuration];
const named = (version: string) => ({ report: { ...report, suite: { version } } });
const under = (spec: Partial<typeof specification>) => ({
  report: { ...report, spec: { ...specification, ...spec } },
});
const load = {
  kind: 'load',
  digests: { 'load-run.json': 'b'.repeat(64), 'report.json': 'c'.repeat(64) },
} as const;
const ofLoad = statementOf({ ...run, ...load }, report, { signedAt: now, expiresAt: later(90) });

/** What is verified: the honest statement about the honest run, but for this. */
interface Given extends Omit<Partial<Comparison>, 'run'> {
  readonly statement?: Statement;
  readonly run?: Partial<AttestedRun>;
}

const rows: readonly (readonly [what: string, given: Given, found: RegExp | 'true' | 'no verdict'])[] = [
  ['what attest writes', {}, 'true'],
  [
    'a file twice',
    { statement: { ...honest, subject: [...subject, ...subject] } },
    /names "journal\.ndjson" twice/,
  ],
  [
    'two specifications',
    { statement: { ...honest, predicate: { ...predicate, configuration: twice } } },
    /names "interface-specification" twice/,
  ],
  [
    'a file that is not of the run',
    { statement: { ...honest, subject: [...subject, outside] } },
    /"\.\.\/\.\.\/etc\/passwd" is missing/,
  ],
  ['a file less', { statement: { ...honest, subject: subject.slice(1) } }, /does not cover journal\.ndjson/],
  ['a page that the folder no longer has', { statement: { ...honest, subject: [...subject, page] } }, 'true'],
  ['this very moment as its end', { statement: signed(now, now) }, 'true'],
  ['the same time tomorrow as its day', { statement: signed(later(1), later(90)) }, 'true'],
  [
    'a moment after that',
    { statement: signed(new Date(later(1).getTime() + 1), later(90)) },
    /still to come/,
  ],
  ['a day in the past', { statement: signed(later(-100), later(-10)) }, /expired on 2026-11-15/],
  [
    'a day before that of the run',
    { statement: signed(later(-1000), later(90)) },
    /began on .*, after the attestation was signed on /,
  ],
  [
    'a day that is to come',
    { statement: signed(later(30), later(90)) },
    /signed on 2026-12-25, which is still to come/,
  ],
  [
    'another specification in this installation',
    { specification: { ...specification, digest: `sha256:${'e'.repeat(64)}` } },
    /by another specification/,
  ],
  ['a newer version here', { suiteVersion: '0.2.0' }, 'true'],
  [
    'a newer version here, and a run under another specification',
    { suiteVersion: '0.2.0', run: under({ version: '0.9.0' }) },
    /by another version of the specification than 1\.0\.0/,
  ],
  [
    'a newer version here, and a load run',
    { suiteVersion: '0.2.0', statement: ofLoad, run: load },
    'no verdict',
  ],
  ['an older version here', { suiteVersion: '0.0.9' }, 'no verdict'],
  ['two names of the version', { run: named('0.0.8') }, /name different versions of the suite/],
  [
    'an older version here, and two names of the version',
    { suiteVersion: '0.0.9', run: named('0.0.8') },
    'no verdict',
  ],
];

/** What the run differs in, where the statement and the rest are honest. */
const runs: readonly (readonly [what: string, run: Partial<AttestedRun>, found: RegExp | 'true'])[] = [
  ['a run that began tomorrow', begunAfter(1), 'true'],
  ['a run that is to begin', begunAfter(1100), /began on 2029-.*still to come/],
  ['a changed file', { digests: { ...run.digests, 'report.json': 'd' } }, /report\.json was changed/],
  ['a removed file', { digests: {} }, /journal\.ndjson is missing/],
  ['a page more', { digests: { ...run.digests, 'report.html': 'd' } }, /report\.html was added/],
  ['a run of another command', { kind: 'certify-client' }, /a run of "certify", and the folder/],
  ['no report', { report: undefined }, /report\.json is not a report/],
  ['a verdict that was edited', { report: other('warn') }, /LIST-1 is "warn" in the report, but/],
  ['an outcome that was edited', { report: other('pass', 'violates') }, /The outcome is "violates"/],
  [
    'a requirement that is none',
    { report: { ...report, requirements: [{ id: '<b>', verdict: 'pass' }] } },
    /^"<b>" is "pass" in the report/,
  ],
  ['a verdict left out', { report: { ...report, requirements: [] } }, /leaves out LIST-1/],
  ['figures that differ', judging({ contradictions: ['Other.'] }), /^Other\.$/],
  [
    'a failure that the requests show',
    judging({ report: other('fail', 'violates') }),
    /says "PASSED", but the journal gives "FAILED".*names other failures/s,
  ],
  ['a report of another specification', under({ version: '9.9.9' }), /by another specification than 1\.0\.0/],
];

const beside: typeof rows = runs.map(([what, change, found]) => [
  `${what} beside it`,
  { run: change },
  found,
]);

for (const [what, { statement = honest, run: change, ...more }, found] of [...rows, ...beside]) {
  test(`a statement with ${what} is ${typeof found === 'string' ? found : 'not true'}`, async () => {
    const given = { ...comparison, ...more, run: { ...run, ...change } };
    assertFound(await verifyStatement(statement, given), found);
  });
}

test('fields that other tools add leave a statement true, and are known as not checked', async () => {
  const [file, ...files] = subject;
  const extended = {
    ...honest,
    subject: [Object.assign({ mediaType: 'application/x-ndjson' }, file), ...files],
    predicate: {
      ...Object.assign({ url: 'https://ci.example/1' }, predicate),
      configuration: [...predicate.configuration, { name: 'level', annotations: { core: 'bans' } }],
    },
  } as Statement;
  assert.deepEqual((await verifyStatement(extended, comparison)).kind, 'true');
  const unchecked = ['subject.journal.ndjson.mediaType', 'predicate.url', 'predicate.configuration.level'];
  assert.deepEqual(uncheckedFields(extended, 'certify', report), unchecked);
  assert.deepEqual(uncheckedFields(honest, 'certify', report), []);
});

test('a newer version judges again under the set of the version that made the run', async () => {
  const failing = judging({ report: other('fail', 'violates') });
  const changed = await verifyStatement(honest, { ...comparison, suiteVersion: '0.2.0', run: failing });
  assert.ok(changed.kind === 'changed', changed.kind);
  assert.match(changed.sentence, /0\.1\.0 .*0\.2\.0 judges otherwise: LIST-1 is "pass" .* gives "fail"/);
  const besides = (found: AttestedReport['requirements']) =>
    besidesOf({ ...changed.judged, earlier: { set: '0.1.0', besides: found } });
  assert.deepEqual([besidesOf(changed.judged), besides([])], [[], []]);
  assert.match(besides([{ id: 'LIST-2', verdict: 'fail' }]).join(), /set 0\.1\.0, .* finds: LIST-2 fail\.$/);
});

test('a version that is none is not shown, and a run with a warning is stated as such', async () => {
  const found = await verifyStatement(honest, { ...comparison, run: { ...run, ...named('<b>0.1.0') } });
  assert.ok(found.kind === 'no verdict', found.kind);
  assert.match(found.sentence, /by version unknown of the suite/);
  const warned = { ...report, requirements: [...report.requirements, { id: 'LIST-2', verdict: 'warn' }] };
  const stated = statementOf(run, warned, { signedAt: now, expiresAt: later(90) });
  assert.equal(stated.predicate.result, 'WARNED');
});

const [mine, foreign] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const unsigned = envelopeOf(JSON.stringify(honest));
const once = signedBy(unsigned, mine.privateKey);
const both = signedBy(once, foreign.privateKey);

/** What a statement need not state: when it was signed. */
const NOT_COMPARED = ['.predicate.configuration.2.annotations.signedAt'];

/** Every copy of a value in which one part is left out, or one text is another. */
function* changesOf(value: unknown, path = ''): Generator<readonly [path: string, changed: unknown]> {
  if (typeof value === 'string') yield [path, `${value}x`];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const without = Object.entries(value).filter(([other]) => other !== name);
    yield [
      `${path}.${name}`,
      Array.isArray(value) ? without.map(([, one]) => one) : Object.fromEntries(without),
    ];
    yield [
      `${path}.${name}`,
      Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: null }),
    ];
    for (const [inner, changed] of changesOf(part, `${path}.${name}`))
      yield [inner, Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: changed })];
  }
}

test('no statement is true of which any part is left out or changed, whoever signed it', async () => {
  const keys = [{ name: '0', key: mine.publicKey }];
  const isTrue: string[] = [];
  for (const [path, changed] of changesOf(honest)) {
    const envelope = signedBy(envelopeOf(JSON.stringify(changed)), mine.privateKey);
    if ((await verify({ ...comparison, envelope, keys })).kind === 'true') isTrue.push(path);
  }
  assert.deepEqual([...new Set(isTrue)], NOT_COMPARED);
});

const signedText = (text: string): Envelope => signedBy(envelopeOf(text), mine.privateKey);
const twoResults = JSON.stringify(honest).replace('"result":', '"result":"FAILED","result":');

const envelopes: readonly (readonly [
  what: string,
  envelope: Envelope,
  keys: readonly (typeof mine)[],
  found: RegExp | 'true',
])[] = [
  ['signed by the key', once, [mine], 'true'],
  ['signed by both keys', both, [mine, foreign], 'true'],
  ['signed by one of two keys', once, [mine, foreign], /No signature is valid for the key in 1:/],
  ['signed by another key', once, [foreign], /No signature is valid/],
  ['not signed', unsigned, [], /carries no signature/],
  [
    'changed after it was signed',
    { ...once, payload: both.payload.slice(4) },
    [mine],
    /No signature is valid/,
  ],
  ['with another type of payload', { ...once, payloadType: 'text/plain' }, [mine], /No signature is valid/],
  ['of another statement', signedText('{}'), [mine], /not a statement about a test/],
  [
    'of a statement that has a name twice, of which readers take one or the other',
    signedText(twoResults),
    [mine],
    /not a statement about a test/,
  ],
];

for (const [what, envelope, keys, expected] of envelopes) {
  test(`an attestation ${what} is ${expected === 'true' ? 'true' : 'not true'}`, async () => {
    const numbered = keys.map(({ publicKey: key }, at) => ({ name: String(at), key }));
    assertFound(await verify({ ...comparison, envelope, keys: numbered }), expected);
  });
}

test('a signature by the same key is replaced, and an envelope is read as it was written', () => {
  assert.equal(signedBy(both, mine.privateKey).signatures.length, 2);
  for (const one of [unsigned, both]) assert.deepEqual(readEnvelope(JSON.stringify(one)), one);
  const twice = JSON.stringify(both).replace('"payload":', '"payload":"e30=","payload":');
  for (const text of ['[]', '{}', twice, JSON.stringify({ ...both, payloadType: 'text/plain' })])
    assert.equal(readEnvelope(text), undefined);
  const many = Array.from({ length: 101 }, () => both.signatures[0]);
  assert.equal(readEnvelope(JSON.stringify({ ...both, signatures: many })), undefined);
  for (const part of [{ signatures: [{ sig: 1, keyid: '' }] }, { signatures: {} }, { payload: 1 }])
    assert.equal(readEnvelope(JSON.stringify({ ...both, ...part })), undefined);
});

test('keys are of the kind Ed25519, and a private key is no public one', () => {
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  const secret = mine.privateKey.export(pem).toString();
  assert.equal(privateKey(secret, 'K').asymmetricKeyType, 'ed25519');
  assert.throws(() => publicKey(secret, 'K'), /K holds a private key/);
  const open = mine.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  assert.ok(publicKey(open, 'K').equals(mine.publicKey));
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem).toString();
  for (const text of ['', curve]) assert.throws(() => privateKey(text, 'K'), /K does not hold a private key/);
});

const incomplete: AttestedReport = { ...report, outcome: 'incomplete' };

type Row = readonly [
  what: string,
  certified: Certified,
  sentence: RegExp | undefined,
  report?: AttestedReport,
];

const attestedRunRows: readonly Row[] = [
  ['the limits of the specification', certified('free'), undefined],
  ['limits that are set by agreement', certified('enterprise', { perMinute: 5 }), undefined],
  ['a client', { ...certified('free'), plan: undefined }, undefined],
  ['lower limits', certified('free', { perMinute: 30 }), /other limits than .* plan free: 60 requests a min/],
  ['a day of another plan', certified('free', { perDay: 10_000 }), /other limits than the specification/],
  ['a plan of the vendor', certified('gold'), /The specification has no plan "gold"/],
  ['a plan named as what every object has', certified('constructor'), /no plan "constructor"/],
  ['a short minute', certified('free', { minuteSeconds: 2 }), /no minute and day/],
  ['a short day', certified('free', { daySeconds: 3600 }), /no minute and day/],
  ['the server of this program', { ...certified('free'), bundledServer: true }, /comes with this program/],
  ['a part', { ...certified('free'), partial: true }, /limited to a part/],
  ['an incomplete part', { ...certified('free'), partial: true }, /^The run was limited/, incomplete],
  ['an incomplete run', certified('free'), /^The run is incomplete/, incomplete],
  ['a failed run', certified('free'), /^The run failed LIST-1\.$/, other('fail', 'violates')],
];

for (const [what, subject, sentence, judged = report] of attestedRunRows) {
  test(`a certificate of ${what} ${sentence === undefined ? 'says' : 'does not say'} that its subject conforms`, () => {
    const found = shortcomingsOf(subject, judged);
    assert.equal(found.length, sentence === undefined ? 0 : 1, found.join(' '));
    if (sentence !== undefined) assert.match(found[0] ?? '', sentence);
  });
}
