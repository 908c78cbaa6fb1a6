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
const options = { numRuns: RUNS, includeErrorInReport: true, endOnFailure: true };

/** The longest that a parser may take for a text of a few thousand characters, in milliseconds of computing on a slow machine. */
const SOON_MS = 2000;

function soon<T>(read: () => T): T {
  const { value, computedMs } = computed(read);
  assert.ok(computedMs < SOON_MS, 'it took too long');
  return value;
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

test('JSON is read wherever JSON.parse reads it, and to the same values', () => {
  const texts = near(
    '{"id":9223372036854775807,"name":"a\\u0000"}',
    '[1e400,-0,1.50]',
    '{"__proto__":{"a":[]}}',
    '["\\ud800"]',
  );
  fc.assert(
    fc.property(fc.oneof(texts, fc.json()), (text) => {
      const read = soon(() => jsonOf(body(text)));
      let expected: { readonly value: unknown } | undefined;
      try {
        expected = { value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown };
      } catch {
        expected = undefined;
      }
      assert.equal(read.kind === 'json', expected !== undefined);
      if (read.kind === 'json') assert.deepEqual(JSON.parse(stringify(read.value) ?? ''), expected?.value);
    }),
    options,
  );
});

test('an HTTP-date is read as Date reads it, and nothing else is read as one', () => {
  const dates = near(
    'Sat, 21 Nov 2026 10:00:00 GMT',
    'Saturday, 21-Nov-26 10:00:00 GMT',
    'Sat Nov  1 10:00:00 2026',
  );
  fc.assert(
    fc.property(dates, (text) => {
      const read = soon(() => parseHttpDate(text));
      if (read !== undefined) assert.ok(Number.isSafeInteger(read.seconds), text);
    }),
    options,
  );
  const moments = fc.date({
    min: new Date(Date.UTC(1000, 0, 1)),
    max: new Date(Date.UTC(9999, 0, 1)),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, (date) => {
      assert.deepEqual(parseHttpDate(date.toUTCString()), {
        seconds: Math.floor(date.getTime() / 1000),
        obsolete: false,
      });
    }),
    options,
  );
});

const values = near(
  '60',
  '0',
  '1795255267',
  '60, 60;w=60',
  '-1',
  '1.5',
  '1e9',
  '\u0661',
  'Sat, 21 Nov 2026 10:00:00 GMT',
);

test('the headers of a rate are whole numbers or nothing, and Retry-After has a form or is malformed', () => {
  const names = [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
    'Date',
    '',
  ];
  const lines = fc.array(fc.tuple(near(...names), values), { maxLength: 8 });
  fc.assert(
    fc.property(lines, (headers: readonly HeaderLine[]) => {
      const { limit, remaining, reset } = soon(() => readRateHeaders(headers));
      for (const number of [limit, remaining])
        assert.ok(number === undefined || (Number.isSafeInteger(number) && number >= 0));
      assert.ok(reset === undefined || (Number.isFinite(reset) && reset >= 0));
      const answer: Answer = { kind: 'answer', status: 429, headers, body: body('') };
      const after = soon(() => readRetryAfter({ outcome: answer }));
      if (after.kind === 'seconds') assert.equal(String(after.seconds), String(Number(after.text)));
    }),
    options,
  );
});

test('a media type is application/json where Node reads it as that', () => {
  const types = near(
    'application/json',
    'Application/JSON ;charset="utf-8"',
    'application/problem+json',
    '/;',
  );
  fc.assert(
    // A field value has no line ends, and no space around it.
    fc.property(
      types.filter((text) => !/[\0\r\n]/.test(text) && text.trim() === text),
      (text) => {
        let essence: string | undefined;
        try {
          ({ essence } = new MIMEType(text));
        } catch {
          essence = undefined;
        }
        assert.equal(
          soon(() => isJsonMediaType(text)),
          essence === 'application/json',
        );
      },
    ),
    options,
  );
});

test('any text is a plan file or is rejected with one sentence', () => {
  const plans = near(
    '{"minuteSeconds":60,"daySeconds":86400,"plans":{"free":{"perMinute":60,"perDay":1000},"enterprise":null}}',
  );
  fc.assert(
    fc.property(plans, (text) => {
      try {
        soon(() => parsePlans(text, 'plans.json'));
      } catch (error) {
        assert.ok(error instanceof UserError, String(error));
      }
    }),
    options,
  );
});

test('any text is an OpenAPI document or has a problem', () => {
  const documents = near(
    'openapi: 3.0.3\ninfo:\n  title: x\n  version: 1.0.0\npaths:\n  /categories:\n    get: {}\n',
    '{"openapi":"3.0.3","info":{"title":"x","version":"1.0.0"},"paths":{"/categories":{"$ref":"#/paths"}}}',
    'a: &a [1]\nb: [*a, *a]\n',
  );
  fc.assert(
    fc.property(documents, (text) => {
      soon(() => mismatches({ source: 'openapi.yaml', text }, [{ source: 'part.yaml', text }]));
    }),
    { ...options, numRuns: Math.ceil(RUNS / 5) },
  );
});

const folder = temporaryFolder({ after });

test('any file is a journal, is a journal with reported damage, or is rejected with one sentence', () => {
  const path = join(folder, 'journal.ndjson');
  const head = JSON.stringify(RUN);
  const end = '{"kind":"end","how":"finished","because":"done","finishedAt":"2026-11-21T10:00:00.000Z"}';
  const line = '{"kind":"note","probe":"drain","text":"a","at":1}';
  const files = fc.tuple(
    fc.boolean(),
    near(`${line}\n${end}\n`, `${line}\r\n\n${line}`, '{"kind":"exchange"}\n'),
  );
  fc.assert(
    fc.property(files, ([begins, rest]) => {
      writeFileSync(path, `${begins ? `${head}\n` : ''}${rest}`);
      try {
        const { lines, damage } = soon(() => readJournal(path));
        assert.ok(lines.length + damage.length >= 1);
        assert.ok(damage.every((sentence) => /^Line \d+ of /.test(sentence)));
      } catch (error) {
        assert.ok(error instanceof JournalError, String(error));
        assert.ok(!begins, error.message);
      }
    }),
    options,
  );
});
