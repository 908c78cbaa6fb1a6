import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttestedReport, AttestedRun } from './attested-run.ts';
import type { Statement } from './statement.ts';
import { statementOf } from './statement.ts';
import { verifyStatement } from './verify.ts';

const now = new Date('2026-11-25T10:00:00Z');
const later = (days: number): Date => new Date(now.getTime() + days * 86_400_000);
const specification = { version: '1.0.0', digest: `sha256:${'a'.repeat(64)}` };
const report: AttestedReport = {
  suiteVersion: '0.1.0',
  specification,
  outcome: 'conforms',
  requirements: [{ id: 'LIST-1', verdict: 'pass' }],
};
const plan = { name: 'free', limits: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 } };
const run: AttestedRun = {
  kind: 'certify',
  digests: { 'journal.ndjson': 'b'.repeat(64), 'report.json': 'c'.repeat(64) },
  report,
  judgeAgain: async () => ({
    report,
    certified: { subject: 'https://a.example/v1', plan, bundledServer: false, partial: false, startedAt: '' },
    contradictions: [],
  }),
};
const honest = statementOf(run, report, specification, { signedAt: now, expiresAt: later(90) });
const { subject, predicate } = honest;
const signed = (signedAt: Date, expiresAt: Date): Statement =>
  statementOf(run, report, specification, { signedAt, expiresAt });

const rows: readonly (readonly [what: string, statement: Statement, sentence: RegExp | undefined])[] = [
  ['what attest writes', honest, undefined],
  ['a file twice', { ...honest, subject: [...subject, ...subject] }, /names "journal\.ndjson" twice/],
  [
    'two specifications',
    {
      ...honest,
      predicate: { ...predicate, configuration: [...predicate.configuration, ...predicate.configuration] },
    },
    /names "interface-specification" twice/,
  ],
  [
    'a file that is not of the run',
    { ...honest, subject: [...subject, { name: '../../etc/passwd', digest: { sha256: 'd' } }] },
    /"\.\.\/\.\.\/etc\/passwd" is missing/,
  ],
  ['a file less', { ...honest, subject: subject.slice(1) }, /does not cover journal\.ndjson/],
  ['a day in the past', signed(later(-100), later(-10)), /expired on 2026-11-15/],
  ['a day that is to come', signed(later(30), later(90)), /signed on 2026-12-25, which is still to come/],
];

for (const [what, statement, sentence] of rows) {
  test(`a statement with ${what} is ${sentence === undefined ? 'true' : 'not true'}`, async () => {
    const comparison = { run, suiteVersion: '0.1.0', specificationDigest: specification.digest, now };
    const found = await verifyStatement(statement, comparison);
    if (sentence === undefined) return assert.equal(found.kind, 'true');
    assert.ok(found.kind === 'false');
    assert.match(found.sentences.join('\n'), sentence);
  });
}
