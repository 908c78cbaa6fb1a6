import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../../evaluation/simulation/virtual-run.ts';
import type { Change } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { ownFixOf } from '../../../../kernel/findings/finding.ts';
import type { Cause, RunRecord } from '../../../../kernel/findings/record.ts';
import { loadSpecification } from '../../../../spec/specification.ts';
import type { StepName } from '../../probes/index.ts';
import { judge } from '../judge.ts';
import type { CauseId } from './causes.ts';
import { fixFor } from './causes.ts';
import type { Framework } from './frameworks.ts';

const { lines } = await virtualRun();
const specification = await loadSpecification();
const { all, answered, asked, at, both } = edit;

const judged = (change: Change): RunRecord =>
  judge({ lines: change(lines), damage: [] }, specification, { strict: false });
const causes = (...changes: readonly Change[]): readonly Cause[] => judged(all(...changes)).causes;
const fixed = (id: string, ...changes: readonly Change[]) =>
  judged(all(...changes)).requirements.flatMap((one) => (one.id === id ? [ownFixOf(one)] : []))[0];

const anybody = (): boolean => true;
const rejected = both(asked('rejections'), answered(400));
const keyless = ({ caller }: Exchange): boolean => caller === 'unauthenticated';
const creation = (exchange: Exchange): boolean =>
  exchange.request.method === 'POST' && answered(201)(exchange);
const error = answered(400, 401);

const withoutHeaders: Change = at(
  anybody,
  edit.header('X-RateLimit-Limit'),
  edit.header('X-RateLimit-Remaining'),
  edit.header('X-RateLimit-Reset'),
);
const PAGE =
  '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>';
const ALL_HEADERS = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
const BODIES = ['CREATE-4', 'CREATE-5', 'CREATE-6', 'CREATE-7', 'CREATE-8', 'CREATE-9'] as const;

type CauseRow = readonly [
  what: string,
  cause: CauseId,
  title: string,
  requirements: readonly string[],
  change: Change,
  framework?: Framework,
];

const rows: readonly CauseRow[] = [
  [
    'every invalid body returns 422 by a framework that shows itself',
    'invalid-body-status',
    'Creations with an invalid body return 422 instead of 400.',
    BODIES,
    at(
      rejected,
      edit.status(422),
      edit.responseBody({ detail: [{ loc: ['body', 'name'], msg: 'Field required' }] }),
    ),
    'FastAPI',
  ],
  [
    'every invalid body breaks the service down',
    'invalid-body-crash',
    'Creations with an invalid body return 500 instead of 400.',
    [...BODIES, 'HTTP-4'],
    at(rejected, edit.status(500)),
  ],
  [
    'every invalid body is accepted',
    'invalid-body-accepted',
    'Creations with an invalid body are accepted.',
    [...BODIES, 'CAT-2'],
    at(rejected, edit.status(201)),
  ],
  [
    'creations return 200',
    'created-status',
    'Creations return 200 instead of 201.',
    ['CREATE-1', 'CREATE-2', 'MEDIA-3'],
    all(at(anybody, edit.header('X-Powered-By', 'Express')), at(creation, edit.status(200))),
    'Express',
  ],
  [
    'no response carries the headers',
    'rate-limit-headers',
    `Responses lack ${ALL_HEADERS}.`,
    ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    withoutHeaders,
  ],
  [
    'the fields of the Internet-Draft stand in their place',
    'draft-headers',
    'Responses carry the RateLimit fields of the Internet-Draft instead of the X-RateLimit headers.',
    ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    all(
      withoutHeaders,
      at(
        anybody,
        edit.header('RateLimit-Limit', '60'),
        edit.header('RateLimit-Remaining', '59'),
        edit.header('X-Powered-By', 'Express'),
      ),
    ),
    'Express',
  ],
  [
    'near names stand in their place',
    'near-headers',
    `Responses carry "X-Rate-Limit-Limit", "x-ratelimit-remaining-minute", and lack ${ALL_HEADERS}.`,
    ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    all(
      withoutHeaders,
      at(anybody, edit.header('X-Rate-Limit-Limit', '60'), edit.header('x-ratelimit-remaining-minute', '59')),
    ),
  ],
  [
    'no client reads the lists',
    'framing',
    'Responses are not written as HTTP/1.1 requires.',
    ['MEDIA-1', 'HTTP-4'],
    at(asked('preflight'), edit.cut, edit.reading({ unreadable: 'its last chunk does not arrive' })),
  ],
  [
    'errors are pages of the framework',
    'html-error',
    'Error responses are HTML pages instead of JSON.',
    ['ERR-1', 'ERR-2', 'MEDIA-1'],
    at(error, edit.header('Content-Type', 'text/html'), edit.responseBody(PAGE)),
    'Express',
  ],
  [
    'errors are plain text',
    'text-error',
    'Error responses are plain text instead of JSON.',
    ['ERR-1', 'ERR-2', 'MEDIA-1'],
    at(error, edit.header('Content-Type', 'text/plain'), edit.responseBody('no')),
  ],
  [
    'errors have other fields',
    'error-fields',
    'Error responses have the fields "error", "status" instead of "code", "message" and "status".',
    ['ERR-1', 'ERR-2'],
    all(
      at(answered(401), edit.responseBody({ status: 401, error: 'Unauthorized' })),
      at(answered(400), edit.responseBody({ status: 400, error: 'Bad Request' })),
    ),
    'Rails',
  ],
  [
    'a guard answers 403',
    'unauthorized-status',
    'Requests without a valid key return 403 instead of 401.',
    ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5', 'AUTH-6'],
    at(keyless, edit.status(403)),
  ],
  [
    'the 429 comes from somewhere else',
    'limited-headers',
    'The 429 responses lack required headers.',
    ['RATE-4', 'RETRY-1'],
    at(answered(429), edit.header('X-RateLimit-Limit'), edit.header('Retry-After')),
  ],
];
for (const [what, cause, title, requirements, change, framework] of rows) {
  test(`one cause where ${what}`, () => {
    const found = causes(change).find(({ id }) => id === cause);
    assert.deepEqual(
      { ...found, requirements: sorted(found) },
      { id: cause, title, requirements: requirements.toSorted(), ...fixIn(cause, framework) },
    );
  });
}
/** The fix of a cause in the record, from the table of fixes. */
function fixIn(cause: CauseId, framework?: Framework): Pick<Cause, 'fix' | 'fixProven'> {
  const recognised = framework === undefined ? undefined : { framework, sure: true, wroteBody: true };
  const { text, proven } = fixFor(cause, recognised);
  return { fix: text, fixProven: proven };
}

const sorted = (cause: Cause | undefined): readonly string[] => [...(cause?.requirements ?? [])].sort();

test('a conforming service has no causes, and what stands alone keeps its fix', () => {
  assert.deepEqual(causes(edit.unchanged), []);
  const one = at(asked('rejections', 'no name'), edit.status(422));
  assert.deepEqual(causes(one), []);
  assert.equal(fixed('CREATE-4', one), fixIn('invalid-body-status').fix);
});

test('a status about absent content is not taken for a validation error of a framework', () => {
  const unsupported = [edit.status(415), edit.header('X-Runtime', '0.004219')];
  assert.doesNotMatch(fixed('CREATE-8', at(asked('rejections', 'no body'), ...unsupported)) ?? '', /Rails/);
  const invalid = [edit.status(422), edit.header('X-Runtime', '0.004219')];
  assert.match(fixed('CREATE-4', at(asked('rejections', 'no name'), ...invalid)) ?? '', /Rails/);
});

test('findings with different statuses have no cause in common', () => {
  const first = at(asked('rejections', 'no name'), edit.status(422));
  const second = at(asked('rejections', 'body is null'), edit.status(415));
  assert.deepEqual(causes(first, second), []);
});

/** What a requirement without a valid key shows, and the cause whose fix it gets. */
const BY_STEP: readonly (readonly [id: string, step: StepName, cause: CauseId])[] = [
  ['AUTH-4', 'bare key', 'scheme-not-required'],
  ['AUTH-4', 'another scheme', 'scheme-not-required'],
  ['AUTH-4', 'query string', 'key-elsewhere'],
  ['AUTH-3', 'key without its last character', 'loose-key'],
];
for (const [id, step, cause] of BY_STEP) {
  test(`${id} gets the fix of what was accepted: ${step}`, () => {
    const found = fixed(id, at(asked('invalid-credentials', step), edit.status(200)));
    assert.equal(found, fixIn(cause).fix);
  });
}

test('a finding with several problems gets the fix of the one that it shows first', () => {
  const accepted = at(asked('invalid-credentials', 'bare key'), edit.status(200));
  const forbidden = at(asked('invalid-credentials', 'cookie'), edit.status(403));
  assert.equal(fixed('AUTH-4', accepted, forbidden), fixIn('scheme-not-required').fix);
});

test('what follows from a cause stands behind what the cause violates by itself', () => {
  const [cause] = causes(at(asked('rejections', 'no body'), edit.status(500)));
  assert.deepEqual(cause?.requirements, ['CREATE-8', 'HTTP-4']);
  assert.equal(cause?.id, 'absent-body-crash');
});

test('an id of two categories follows from one that a client sent', () => {
  const adopts = at(asked('creations', 'client-chosen id of another category'), (exchange) =>
    edit.rewrite(() => exchange.request.body?.text ?? '')(exchange),
  );
  const cause = causes(adopts).find(({ id }) => id === 'adopted-id');
  assert.equal(cause?.requirements[0], 'CREATE-12');
  assert.deepEqual(sorted(cause), ['CREATE-11', 'CREATE-12', 'LIST-3']);
});

test('a cause changes no verdict, and a finding belongs to one at most', () => {
  const record = judged(at(rejected, edit.status(422)));
  const ids = record.causes.flatMap(({ requirements }) => requirements);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) {
    const finding = record.requirements.find((one) => one.id === id);
    assert.ok(finding !== undefined && finding.verdict !== 'pass');
    assert.equal(ownFixOf(finding), undefined, 'the fix stands at the cause');
  }
});
