import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../evaluation/simulation/virtual-run.ts';
import type { Change } from '../../evaluation/testing/suites/edits.ts';
import * as edit from '../../evaluation/testing/suites/edits.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { judge } from '../judge/judge.ts';
import { creations } from '../probes/creations.ts';

// What a sentence says beyond the verdict, where the stacks of others showed that a reader needs it.

const { lines } = await virtualRun();
const specification = await loadSpecification();
const { at, asked, answered, both } = edit;
const limited = both(asked('exhaust-quota'), answered(429));

const hints: readonly (readonly [id: string, says: string, journal: Change, words: RegExp])[] = [
  [
    'RATE-4',
    'a gateway’s own page refuses',
    at(limited, edit.header('X-RateLimit-Limit'), edit.header('Content-Type', 'text/html')),
    /perhaps something in front of the service answered/,
  ],
  [
    'LIST-1',
    'a router adds a slash',
    at(asked('preflight'), edit.status(301), edit.header('Location', '/v1/categories/')),
    /answered 301 and sends to "\/v1\/categories\/"/,
  ],
  [
    'CREATE-9',
    'a parser stops after the first value',
    at(asked('rejections', 'text after the JSON'), edit.status(201)),
    /read to the end of the body\..*RFC 8259 §9 lets a parser accept/,
  ],
  [
    'CREATE-4',
    'a framework has a status of its own for invalid bodies',
    at(asked('rejections', 'no name'), edit.status(422)),
    /answered 422\. Clients act on the status that is documented/,
  ],
  [
    'CREATE-5',
    'a reader turns numbers into strings',
    at(asked('rejections', 'name is a number'), edit.status(201)),
    /have yours be strict/,
  ],
  [
    'CAT-4',
    'two workers give the same id',
    at(
      asked('list-after-creations'),
      edit.rewrite((body) => body.replaceAll(/"name":"[^"]*"/g, '"name":"another"')),
    ),
    /If that is another category, two have the same id/,
  ],
  [
    'CAT-2',
    'a name is a number',
    at(
      asked(creations.id, creations.steps.nameAlone),
      edit.rewrite((body) => body.replace(/"name":"[^"]*"/, '"name":123')),
    ),
    /has 123 as `name`/,
  ],
  [
    'CAT-3',
    'a serialiser writes null for an absent text',
    at(
      asked(creations.id, creations.steps.nameAlone),
      edit.rewrite((body) => body.replace(/\}$/, ',"description":null}')),
    ),
    /leave the field out/,
  ],
];

for (const [id, says, journal, words] of hints) {
  test(`${id} says what to look at where ${says}`, () => {
    const record = judge({ lines: journal(lines), damage: [] }, specification, { strict: false });
    assert.match(record.requirements.find((one) => one.id === id)?.because ?? '', words);
  });
}
