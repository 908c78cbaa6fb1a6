import { findingOf, outcomeOf } from '../../../kernel/findings/finding.ts';
import { withBaseline } from '../../../kernel/findings/gate.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import * as judgement from '../../../kernel/findings/judgement.ts';
import type {
  EvidenceExcerpt,
  Finding,
  Observation,
  RunRecord,
  ServiceRecord,
  Verdict,
} from '../../../kernel/findings/record.ts';
import type { Entry } from '../../../spec/register.ts';
import { register } from '../../../spec/register.ts';
import { setOf } from '../../../spec/sets.ts';

/** What a test states about a finding; the rest has defaults that fit the verdict. */
export interface GivenFinding {
  readonly verdict?: Verdict;
  readonly expected?: string;
  readonly received?: string;
  readonly reasoning?: string;
  readonly whyItMatters?: string;
  readonly checked?: string;
  readonly reason?: string;
  readonly exchanges?: readonly number[];
  readonly fix?: string;
  readonly repeat?: string;
}

/** What a test states about some requirements; all others pass. */
export type Findings = Readonly<Record<string, GivenFinding>>;

/** The requirements of a release, so that a new one changes no page. */
const released = register.filter(({ id }) => setOf('1.0.0').requirements.has(id));

/**
 * A record of a run that never happened: every requirement of a release passes, except those that the test
 * names. The outcome follows from the verdicts as it does in a real run.
 */
export function recordWith(findings: Findings, rest: Partial<ServiceRecord> = {}): ServiceRecord {
  const requirements = released.flatMap((one) => findingsOf(one, findings[one.id] ?? {}));
  const observations = released.flatMap(observationOf);
  return {
    schemaVersion: 2,
    subject: 'service',
    suite: { name: 'petstore-conformance', version: '0.1.0' },
    spec: { version: '1.0.0', digest: `sha256:${'0123456789abcdef'.repeat(4)}` },
    target: { baseUrl: 'http://127.0.0.1:8080/v1', plan: 'free' },
    startedAt: '2026-11-21T05:17:03.250Z',
    finishedAt: '2026-11-21T05:18:09.700Z',
    requests: { total: 83, keyed: 62 },
    strict: false,
    exclusiveKey: false,
    outcome: outcomeOf(requirements, []),
    causes: [],
    remarks: [],
    requirements,
    observations,
    evidence: [1, 2, 12, 13].map((n) => excerpt(n)),
    ...rest,
  };
}

function findingsOf(entry: Entry, given: GivenFinding): readonly Finding[] {
  const { level } = entry;
  if (level === 'OBSERVE') return [];
  const verdict = given.verdict ?? (entry.judged === 'by certify-client' ? 'not-tested' : 'pass');
  const { whyItMatters = 'It matters.', fix, repeat, exchanges = verdict === 'pass' ? [1, 2] : [] } = given;
  const words = { whyItMatters, ...(fix === undefined ? {} : { fix }) };
  return [{ ...findingOf({ ...entry, level }, judgementOf(verdict, given), words, repeat), exchanges }];
}

function judgementOf(verdict: Verdict, given: GivenFinding): Judgement {
  const { expected = 'one value', received = 'another', reasoning } = given;
  const fact = { expected, received, ...(reasoning === undefined ? {} : { reasoning }) };
  switch (verdict) {
    case 'pass':
      return judgement.pass(given.checked ?? 'Both responses agree with it.');
    case 'fail':
      return judgement.fail(fact);
    case 'warn':
      return judgement.warn(fact);
    case 'inconclusive':
      return judgement.inconclusive(given.reason ?? 'The responses prove nothing.');
    case 'not-tested':
      return judgement.notTested(given.reason ?? 'This requirement is for clients.');
  }
}

function observationOf({ id, level, chapter, sentence }: Entry): readonly Observation[] {
  if (level !== 'OBSERVE') return [];
  return [{ id, chapter, sentence, value: 'Nothing of the kind was observed.', exchanges: [2] }];
}

/** One cited exchange. */
export function excerpt(n: number, given: Partial<EvidenceExcerpt> = {}): EvidenceExcerpt {
  return {
    n,
    probe: 'limit',
    step: 'over the limit',
    request: 'GET /v1/categories',
    requestHeaders: ['Host: 127.0.0.1:8080', 'Authorization: Bearer {key}'],
    requestBody: null,
    answer: '429',
    answerHeaders: ['Content-Type: application/json', 'X-RateLimit-Limit: 60', 'X-RateLimit-Remaining: 0'],
    answerBody: '{"code":"rate_limited","message":"Too many requests"}',
    milliseconds: 3.4,
    at: 1204.8,
    ...given,
  };
}

/** A target that conforms. */
export const conforming = (): RunRecord => recordWith({});

/** A target that violates two requirements, with a warning and an inconclusive requirement. */
export const violating = (): RunRecord =>
  recordWith(
    {
      'RETRY-1': {
        verdict: 'fail',
        expected: '`Retry-After` on a 429',
        received: 'none in exchange 12 (GET /v1/categories); the same problem is in 1 other response',
        whyItMatters: 'A client without `Retry-After` does not know when to retry.',
        fix: 'Set `Retry-After` where the 429 is answered.',
        exchanges: [12, 13],
        repeat:
          'for i in $(seq 61); do curl -s -o /dev/null -D - -H "Authorization: Bearer $PETSTORE_KEY" http://127.0.0.1:8080/v1/categories; done',
      },
      'CREATE-4': {
        verdict: 'fail',
        expected: '400 for a body without `name`',
        received: '201 in exchange 2 (POST /v1/categories)',
        exchanges: [2],
        repeat: `curl -i -X POST -H "Authorization: Bearer $PETSTORE_KEY" -H 'Content-Type: application/json' -d '{"description":"no name"}' http://127.0.0.1:8080/v1/categories`,
      },
      'HTTP-1': {
        verdict: 'warn',
        expected: '`WWW-Authenticate` on a 401',
        received: 'none in exchange 1 (GET /v1/categories)',
        exchanges: [1],
      },
      'LIMIT-2': {
        verdict: 'inconclusive',
        reason: 'A second window began meanwhile.',
        exchanges: [12],
      },
      'BAN-1': { verdict: 'not-tested', reason: 'No disposable key was given.', exchanges: [] },
    },
    {
      remarks: [
        'The window of this plan file lasts 2 s, so the evidence about the window is weaker than with a real minute.',
      ],
    },
  );

/** The same with a baseline: one violation is known, one entry expired and one is stale. */
export function known(): RunRecord {
  const entry = { reason: 'gateway', owner: 'Team A', expires: '2999-01-01' };
  const expired = { id: 'CREATE-4', ...entry, expires: '2020-01-01' } as const;
  const violations = [{ id: 'RETRY-1', ...entry }, expired, { id: 'LIST-1', ...entry }] as const;
  return withBaseline(violating(), { violations });
}

/** A run in which nothing failed and one MUST is inconclusive. */
export const incomplete = (): RunRecord =>
  recordWith(
    {
      'LIMIT-1': {
        verdict: 'inconclusive',
        reason: 'The run was interrupted before the limit was reached.',
      },
    },
    { remarks: ['The run was interrupted after 31 of 83 requests.'] },
  );

/** A target with two violations that share a cause, and a third one with its own fix. */
export const explained = (): RunRecord =>
  recordWith(
    {
      'CREATE-4': { verdict: 'fail', expected: '400', received: '422 in exchange 2', exchanges: [2] },
      'CREATE-7': {
        verdict: 'fail',
        expected: '400',
        received: '422 in exchange 12',
        exchanges: [12],
      },
      'RETRY-1': {
        verdict: 'fail',
        expected: 'it',
        received: 'none',
        exchanges: [13],
        fix: 'Set `Retry-After`.',
      },
    },
    {
      causes: [
        {
          id: 'invalid-body-status',
          title: 'Creations with an invalid body return 422 instead of 400.',
          requirements: ['CREATE-4', 'CREATE-7'],
          fix: 'Map every validation error to `400`.',
        },
      ],
    },
  );

/** The record of a run against something that is not the service. */
export const wrongTarget = (): RunRecord =>
  recordWith(
    { 'LIST-1': { verdict: 'inconclusive', reason: 'It is not the service.' } },
    {
      headline: {
        kind: 'wrong-target',
        text: 'GET http://127.0.0.1:8080/categories answers 404: this does not look like the service. Did you mean http://127.0.0.1:8080/v1?',
        fix: 'Give the base address of the service, which ends in `/v1`.',
      },
    },
  );

/** Texts that a hostile target could send to inject markup or commands into a report. */
export const HOSTILE: readonly string[] = [
  '<script>document.title = "broken"</script>',
  '"><img src=x onerror="document.title = \'broken\'">',
  "' onmouseover='document.title = 1",
  '</style></pre></details><h1>taken over</h1>',
  ']]></failure><testcase name="forged"/>',
  '<!-- --><![CDATA[ &amp; &#0; &lt;',
  'nul \u0000 escape \u001b[31mred\u001b[0m bell \u0007 c1 \u009b31m',
  'bidi \u202egnp.exe\u202c \u2066isolate\u2069 zero\u200bwidth tag\u{e0041}',
  'lone \ud800 and \udfff, not a character \ufffe \uffff',
  'line\r\n::error::forged\n::set-output name=x::y \u2028 \u2029 next\n\n# heading',
  '::error::forged ##[error]forged ##vso[task.complete result=Failed] ##teamcity[x]',
  '| cell | `code` ``two`` **bold** _em_ ~~gone~~ [link](https://evil.example) ![img](https://evil.example/x.png)',
  'https://evil.example www.evil.example mail@evil.example <https://evil.example> @everyone #1 GH-1 $x$ :+1:',
  '# heading',
  '- item',
  '1. item',
  '[ref]: https://evil.example',
  '{"__proto__": {"polluted": true}, "constructor": 1}',
  '__proto__',
  'very long '.repeat(20_000),
  'אבג العربية 猫 👩‍🚀 e\u0301',
];

/** A record in which every text that a target or a user can choose is this text. */
export function hostile(text: string): RunRecord {
  const words = { expected: text, received: text, reasoning: text, whyItMatters: text, fix: text } as const;
  const texts = { ...words, checked: text, reason: text, exchanges: [12], repeat: text } as const;
  const record = recordWith(
    {
      'RETRY-1': { ...texts, verdict: 'fail' },
      'RETRY-2': { ...texts, verdict: 'fail' },
      'RETRY-3': { ...texts, verdict: 'fail' },
      'LIMIT-1': { ...texts, verdict: 'inconclusive' },
      'HTTP-1': { ...texts, verdict: 'warn' },
      'BAN-1': { ...texts, verdict: 'not-tested' },
      'LIST-1': { ...texts, verdict: 'pass' },
    },
    {
      target: { baseUrl: text, plan: text },
      product: { name: text, vendor: text, version: text, configuration: text },
      remarks: [text],
      causes: [{ id: 'any-cause', title: text, requirements: ['RETRY-2', 'RETRY-3'], fix: text }],
      evidence: [
        excerpt(12, {
          ...{ probe: text, step: text, request: text, answer: text, requestBody: text, answerBody: text },
          ...{ requestHeaders: [text], answerHeaders: [text, text] },
        }),
      ],
    },
  );
  const observations = record.observations.map((one) => ({ ...one, value: text, warning: text }));
  return { ...record, observations };
}

/** A violating target whose report cites so many exchanges, every second one by every requirement. */
export function withManyExchanges(count: number): RunRecord {
  const every = Array.from({ length: count }, (_, at) => at + 1);
  const evidence = every.map((n) => excerpt(n, { at: n * 6 }));
  const exchanges = every.filter((n) => n % 2 === 1).reverse();
  const failing = { verdict: 'fail', received: `none in exchange ${count - 1}`, exchanges } as const;
  const entries = every.map((n) => ({
    n,
    caller: 'key',
    at: n * 6,
    milliseconds: 3,
    status: n % 61 === 0 ? 429 : 200,
    remaining: 60 - (n % 61),
  }));
  const record = recordWith(
    { 'RATE-1': failing, 'RETRY-1': failing },
    {
      evidence,
      requests: { total: count, keyed: count },
      timeline: { entries: entries.slice(0, 3000), omitted: count - 3000 },
    },
  );
  const requirements = record.requirements.map((one) => ({ ...one, exchanges }));
  return { ...record, requirements };
}
