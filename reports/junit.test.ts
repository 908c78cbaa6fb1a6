import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLParser } from 'fast-xml-parser';
import {
  conforming,
  explained,
  HOSTILE,
  hostile,
  recordWith,
  violating,
  wrongTarget,
} from '../evaluation/testing/reports/records.ts';
import { renderJunit } from './junit.ts';
import { visibleBlock } from './written.ts';

interface Case {
  readonly '@name': string;
  readonly '@classname': string;
  readonly failure?: Outcome;
  readonly error?: Outcome;
  readonly skipped?: Outcome;
  readonly 'system-out'?: string;
}
interface Outcome {
  readonly '@message': string;
  readonly '@type': string;
  readonly '#text': string;
}
interface Suite {
  readonly '@name': string;
  readonly '@tests': string;
  readonly '@failures': string;
  readonly '@errors': string;
  readonly '@skipped': string;
  readonly testcase: readonly Case[];
  readonly 'system-out'?: string;
}
interface Junit {
  readonly testsuites: Omit<Suite, 'testcase'> & {
    readonly '@time': string;
    readonly testsuite: readonly Suite[];
  };
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: (name) => name === 'testsuite' || name === 'testcase',
});

function parsed(xml: string): Junit['testsuites'] {
  const junit: Junit = parser.parse(xml);
  return junit.testsuites;
}

const caseOf = (junit: Junit['testsuites'], id: string): Case => {
  const found = junit.testsuite
    .flatMap((suite) => suite.testcase)
    .find((one) => one['@name'].startsWith(`${id} `));
  assert.ok(found, id);
  return found;
};

test('a suite is a chapter, a case is a requirement, named by its id and sentence', () => {
  const record = conforming();
  const junit = parsed(renderJunit(record));
  assert.deepEqual(
    junit.testsuite.map((suite) => suite['@name']).sort(),
    [...new Set([...record.requirements, ...record.observations].map((one) => one.chapter))].sort(),
  );
  assert.equal(junit['@tests'], String(record.requirements.length));
  assert.equal(junit['@time'], '66.450');
  assert.equal(caseOf(junit, 'RETRY-1')['@name'], 'RETRY-1 Every 429 response has `Retry-After`.');
  assert.equal(caseOf(junit, 'RETRY-1')['@classname'], 'petstore-conformance.RETRY');
  assert.equal(caseOf(junit, 'BAN-1')['@classname'], 'petstore-conformance.BAN');
});

test('a verdict becomes what a build server understands by it', () => {
  const reason = 'Because.';
  const fact = { expected: 'this', received: 'that', whyItMatters: 'It matters.' };
  const junit = parsed(
    renderJunit(
      recordWith({
        'RETRY-1': { verdict: 'fail', ...fact, exchanges: [12, 13], repeat: 'curl -i' },
        'RETRY-2': { verdict: 'inconclusive', reason },
        'RETRY-4': { verdict: 'inconclusive', reason },
        'BAN-1': { verdict: 'not-tested', reason },
        'HTTP-1': { verdict: 'warn', ...fact },
      }),
    ),
  );
  const text =
    'Expected: This.\nReceived: That.\nWhy it matters: It matters.\nEvidence: exchanges 12–13\nMUST, from interface-specification.md#errors\nRepeat: curl -i\nMore: npx --offline petstore-conformance explain RETRY-1';
  const message = 'Expected this, but received that.';
  assert.deepEqual(caseOf(junit, 'RETRY-1').failure, { '@type': 'MUST', '@message': message, '#text': text });
  assert.equal(caseOf(junit, 'RETRY-2').error?.['@message'], reason);
  assert.equal(caseOf(junit, 'RETRY-4').skipped?.['@message'], 'inconclusive: Because.');
  assert.equal(caseOf(junit, 'BAN-1').skipped?.['@message'], 'not tested: Because.');
  assert.match(caseOf(junit, 'HTTP-1')['system-out'] ?? '', /^warn: Expected: This\.\n/);
  const retry = junit.testsuite.find((suite) => suite['@name'] === 'Retry-After and ban');
  assert.deepEqual(
    [retry?.['@tests'], retry?.['@failures'], retry?.['@errors'], retry?.['@skipped']],
    ['6', '1', '1', '2'],
  );
  assert.match(retry?.['system-out'] ?? '', /^BAN-3 .* Nothing of the kind was observed\.\n$/);
});

test('the totals are the sums of the suites', () => {
  const junit = parsed(renderJunit(violating()));
  for (const count of ['@tests', '@failures', '@errors', '@skipped'] as const) {
    const sum = junit.testsuite.reduce((total, suite) => total + Number(suite[count]), 0);
    assert.equal(junit[count], String(sum), count);
  }
  assert.equal(junit['@failures'], '2');
});

test('hostile text neither breaks the file nor forges a case, and reads as it was', () => {
  const cases = conforming().requirements.length;
  for (const text of HOSTILE) {
    const junit = parsed(renderJunit(hostile(text)));
    assert.equal(junit.testsuite.flatMap((suite) => suite.testcase).length, cases);
    if (text.length < 3900)
      assert.ok(
        caseOf(junit, 'RETRY-1').failure?.['#text'].includes(`Why it matters: ${visibleBlock(text)}`),
        text,
      );
  }
});

test('a case names its cause and the fix', () => {
  const junit = parsed(renderJunit(explained()));
  assert.match(
    caseOf(junit, 'CREATE-7').failure?.['#text'] ?? '',
    /\nFix: Map every validation error to `400`\.\nEvidence: exchange 12\nCause: Creations with an invalid body return 422 instead of 400\. \(CREATE-4, CREATE-7\)\n/,
  );
  assert.match(caseOf(junit, 'RETRY-1').failure?.['#text'] ?? '', /\nFix: Set `Retry-After`\.\n/);
});

test('a headline is an error of the first suite', () => {
  const record = wrongTarget();
  const junit = parsed(renderJunit(record));
  const [first] = junit.testsuite;
  assert.equal(first?.['@name'], 'Run');
  assert.equal(first?.testcase[0]?.error?.['@message'], record.headline?.text);
  assert.equal(junit['@tests'], String(record.requirements.length + 1));
  assert.equal(junit['@errors'], '2');
});
