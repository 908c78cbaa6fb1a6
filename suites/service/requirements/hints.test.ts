import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { Change } from '../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { ownFixOf } from '../../../kernel/findings/findings.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judge } from '../judge/judge.ts';
import { creations } from '../probes/creations.ts';

// What a sentence description beyond the verdict, where the stacks of others showed that a reader needs it.

const { lines } = await virtualRun();
const specification = await loadSpecification();
const { at, asked, answered, both } = edit;
const limited = both(asked('exhaust-quota'), answered(429));

const hints: readonly (readonly [id: string, description: string, journal: Change, words: RegExp])[] = [
  [
    'RATE-4',
    'a gateway’s own page refuses',
    at(limited, edit.header('X-RateLimit-Limit'), edit.header('Content-Type', 'text/html')),
    /a gateway in front of the service may have answered/,
  ],
  [
    'LIST-1',
    'a router adds a slash',
    at(asked('preflight'), edit.status(301), edit.header('Location', '/v1/categories/')),
    /received 301 with Location "\/v1\/categories\/"/,
  ],
  [
    'CREATE-9',
    'a parser stops after the first value',
    at(asked('rejections', 'text after the JSON'), edit.status(201)),
    /RFC 8259 §9 lets a parser accept.* Clients act on .* read the body to its end\./,
  ],
  [
    'CREATE-4',
    'a framework has a status of its own for invalid bodies',
    at(asked('rejections', 'no name'), edit.status(422)),
    /received 422 in .*\. Clients act on the documented status/,
  ],
  [
    'CREATE-5',
    'a reader turns numbers into strings',
    at(asked('rejections', 'name is a number'), edit.status(201)),
    /Switch type conversion off/,
  ],
  [
    'CAT-4',
    'two workers give the same id',
    at(
      asked('list-after-creations'),
      edit.rewrite((body) => body.replaceAll(/"name":"(?:[^"\\]|\\.)*"/g, '"name":"another"')),
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
    /received 123 as `name`/,
  ],
  [
    'CAT-3',
    'a serialiser writes null for an absent text',
    at(
      asked(creations.id, creations.steps.nameAlone),
      edit.rewrite((body) => body.replace(/\}$/, ',"description":null}')),
    ),
    /`description` as a string or not at all/,
  ],
];

for (const [id, description, journal, words] of hints) {
  test(`${id} description what to look at where ${description}`, () => {
    const record = judge({ lines: journal(lines), damage: [] }, specification, { strict: false });
    const finding = record.requirements.find((one) => one.id === id);
    assert.ok(finding !== undefined);
    const cause = record.causes.find(({ requirements }) => requirements.some((one) => one === id));
    assert.match(`${finding.because} ${cause?.fix ?? ownFixOf(finding) ?? ''}`, words);
  });
}
