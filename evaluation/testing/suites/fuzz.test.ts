import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MIMEType } from 'node:util';
import fc from 'fast-check';
import { stringify } from 'lossless-json';
import { UserError } from '../../../kernel/basics/errors.ts';
import type { Answer, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { isJsonMediaType } from '../../../kernel/exchanges/headers.ts';
import { parseHttpDate, readRateHeaders, readRetryAfter } from '../../../kernel/exchanges/rate-headers.ts';
import { JournalError } from '../../../kernel/recording/line-file.ts';
import { parsePlans } from '../../../spec/plans.ts';
import { jsonOf } from '../../../suites/service/evidence/json.ts';
import { mismatches } from '../../../suites/service/requirements/version-and-deprecation/openapi-document.ts';
import { readJournal } from '../../../suites/service/wire/journal.ts';
import { anyText } from '../any-text.ts';
import { computed } from '../tools/busy-machine.ts';
import { temporaryFolder } from '../tools/folder.ts';
import { body, RUN } from './synthetic.ts';

// All parsers of texts from a target, a disk or a user, on random texts: each throws only its documented errors, is
// fast, and agrees with a reference parser if there is one. FUZZ_RUNS is the number of texts.

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 500);

/** The longest that a parser may take for a text of a few thousand characters, in milliseconds of computing on a slow machine. */
const SOON_MS = 2000;

function soon<T>(read: () => T): T {
  const { value, computedMs } = computed(read);
  assert.ok(computedMs < SOON_MS, 'it took too long');
  return value;
}

/** What a reader makes of a text; undefined where it throws. */
function attempted<T>(read: () => T): { readonly value: T } | undefined {
  try {
    return { value: read() };
  } catch {
    return undefined;
  }
}

/** Tests what holds of any of these values. */
function fuzz<T>(what: string, values: fc.Arbitrary<T>, holds: (value: T) => void, runs = RUNS): void {
  test(what, () => {
    fc.assert(fc.property(values, holds), { numRuns: runs, includeErrorInReport: true, endOnFailure: true });
  });
}

/** A nearly valid text: characters are removed, duplicated or replaced. */
function near(...texts: readonly string[]): fc.Arbitrary<string> {
  const spoilt = fc
    .tuple(fc.constantFrom(...texts), fc.array(fc.tuple(fc.nat(), fc.nat({ max: 4 }), anyText(4))))
    .map(([text, edits]) =>
      edits.reduce((all, [place, length, put]) => {
        const at = place % (all.length + 1);
        return all.slice(0, at) + put + all.slice(at + length);
      }, text),
    );
  return fc.oneof(spoilt, fc.constantFrom(...texts), anyText(60));
}

const SOME_JSON = near(
  '{"id":9223372036854775807,"name":"a\\u0000"}',
  '[1e400,-0,1.50]',
  '{"__proto__":{"a":[]}}',
  '["\\ud800"]',
);

fuzz(
  'JSON is read wherever JSON.parse reads it, and to the same values',
  fc.oneof(SOME_JSON, fc.json()),
  (text) => {
    const read = soon(() => jsonOf(body(text)));
    const expected = attempted(() => JSON.parse(text.replace(/^\uFEFF/, '')) as unknown);
    assert.equal(read.kind === 'json', expected !== undefined);
    if (read.kind === 'json') assert.deepEqual(JSON.parse(stringify(read.value) ?? ''), expected?.value);
  },
);

const DATES = [
  'Sat, 21 Nov 2026 10:00:00 GMT',
  'Saturday, 21-Nov-26 10:00:00 GMT',
  'Sat Nov  1 10:00:00 2026',
];

fuzz('an HTTP-date is a whole second, and nothing else is read as one', near(...DATES), (text) => {
  const read = soon(() => parseHttpDate(text));
  if (read !== undefined) assert.ok(Number.isSafeInteger(read.seconds), text);
});

const [min, max] = [new Date(Date.UTC(1000, 0, 1)), new Date(Date.UTC(9999, 0, 1))];

fuzz('an HTTP-date is read as Date reads it', fc.date({ min, max, noInvalidDate: true }), (date) => {
  const seconds = Math.floor(date.getTime() / 1000);
  assert.deepEqual(parseHttpDate(date.toUTCString()), { seconds, obsolete: false });
});

const NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'Date', ''];
const VALUES = ['60', '0', '1795255267', '60, 60;w=60', '-1', '1.5', '1e9', '\u0661', ...DATES.slice(0, 1)];

fuzz(
  'the headers of a rate are whole numbers or nothing, and Retry-After has a form or is malformed',
  fc.array(fc.tuple(near(...NAMES), near(...VALUES)), { maxLength: 8 }),
  (headers: readonly HeaderLine[]) => {
    const { limit, remaining, reset } = soon(() => readRateHeaders(headers));
    for (const number of [limit, remaining])
      assert.ok(number === undefined || (Number.isSafeInteger(number) && number >= 0));
    assert.ok(reset === undefined || (Number.isFinite(reset) && reset >= 0));
    const answer: Answer = { kind: 'answer', status: 429, headers, body: body('') };
    const after = soon(() => readRetryAfter({ outcome: answer }));
    if (after.kind === 'seconds') assert.equal(String(after.seconds), String(Number(after.text)));
  },
);

const MEDIA_TYPES = near(
  ...['application/json', 'Application/JSON ;charset="utf-8"', 'application/problem+json', '/;'],
);

fuzz(
  'a media type is application/json where Node reads it as that',
  // A field value has no line ends, and no space around it.
  MEDIA_TYPES.filter((text) => !/[\0\r\n]/.test(text) && text.trim() === text),
  (text) => {
    const isJson = soon(() => isJsonMediaType(text));
    assert.equal(isJson, attempted(() => new MIMEType(text).essence)?.value === 'application/json');
  },
);

fuzz(
  'any text is a plan file or is rejected with one sentence',
  near(
    '{"minuteSeconds":60,"daySeconds":86400,"plans":{"free":{"perMinute":60,"perDay":1000},"enterprise":null}}',
  ),
  (text) => {
    try {
      soon(() => parsePlans(text, 'plans.json'));
    } catch (error) {
      assert.ok(error instanceof UserError, String(error));
    }
  },
);

fuzz(
  'any text is an OpenAPI document or has a problem',
  near(
    'openapi: 3.0.3\ninfo:\n  title: x\n  version: 1.0.0\npaths:\n  /categories:\n    get: {}\n',
    '{"openapi":"3.0.3","info":{"title":"x","version":"1.0.0"},"paths":{"/categories":{"$ref":"#/paths"}}}',
    'a: &a [1]\nb: [*a, *a]\n',
  ),
  (text) => void soon(() => mismatches({ source: 'openapi.yaml', text }, [{ source: 'part.yaml', text }])),
  Math.ceil(RUNS / 5),
);

const path = join(temporaryFolder({ after }), 'journal.ndjson');
const END = '{"kind":"end","how":"finished","because":"done","finishedAt":"2026-11-21T10:00:00.000Z"}';
const NOTE = '{"kind":"note","probe":"drain","text":"a","at":1}';

fuzz(
  'any file is a journal, is a journal with reported damage, or is rejected with one sentence',
  fc.tuple(fc.boolean(), near(`${NOTE}\n${END}\n`, `${NOTE}\r\n\n${NOTE}`, '{"kind":"exchange"}\n')),
  ([begins, rest]) => {
    writeFileSync(path, `${begins ? `${JSON.stringify(RUN)}\n` : ''}${rest}`);
    try {
      const { lines, damage } = soon(() => readJournal(path));
      assert.ok(lines.length + damage.length >= 1);
      assert.ok(damage.every((sentence) => /^Line \d+ of /.test(sentence)));
    } catch (error) {
      assert.ok(error instanceof JournalError, String(error));
      assert.ok(!begins, error.message);
    }
  },
);
