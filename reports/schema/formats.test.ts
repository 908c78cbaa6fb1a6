import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { breaches, contractOf } from '../../evaluation/testing/reports/contracts.ts';
import { conforming, HOSTILE, hostile, violating } from '../../evaluation/testing/reports/records.ts';
import { valuesOf } from '../../evaluation/testing/schema-values.ts';
import { isJsonObject } from '../../kernel/basics/json.ts';
import type { Shape } from '../../kernel/basics/shape.ts';
import { schemaOf, troubleText } from '../../kernel/basics/shape.ts';
import { clientRecord, loadRecord, serviceRecord } from '../../kernel/findings/record.ts';
import { ledgerLine } from '../../kernel/usage-ledger/ledger.ts';
import { thresholdsShape } from '../../load/model/profile.ts';
import { runFileShape } from '../../load/model/run-file.ts';
import { sampleShape, scenarioEvent } from '../../load/model/sample.ts';
import { plansShape } from '../../spec/plans.ts';
import { clientJournalLine } from '../../suites/client/model/journal.ts';
import { journalLine } from '../../suites/service/model/journal.ts';
import { baselineFile } from '../baseline.ts';
import { renderJson } from '../files.ts';

/** Every format of a file. */
const FORMATS: Readonly<Record<string, Shape<unknown>>> = {
  'a line of a journal': journalLine,
  'a line of the journal of a client': clientJournalLine,
  'a sample': sampleShape,
  'an event of a scenario': scenarioEvent,
  'the file of a load run': runFileShape,
  thresholds: thresholdsShape,
  'a plan file': plansShape,
  'a line of the ledger': ledgerLine,
  'a baseline': baselineFile,
  'the report of a service': serviceRecord,
  'the report of a client': clientRecord,
  'the report of a load run': loadRecord,
};

const WRITTEN_BY_PEOPLE = new Set(['thresholds', 'a plan file', 'a baseline']);

const OVER_SEVERAL_FIELDS = /must have (?:a plan for each key|at least one plan|a \w+ that is not below)/;

interface Place {
  readonly of: Record<string, unknown>;
  readonly field: string;
}

/** Every field of every object in a value. */
function placesIn(value: unknown): readonly Place[] {
  if (Array.isArray(value)) return value.flatMap(placesIn);
  if (!isJsonObject(value)) return [];
  return Object.keys(value).flatMap((field) => [{ of: value, field }, ...placesIn(value[field])]);
}

const changes: readonly ((place: Place) => void)[] = [
  ({ of, field }) => {
    delete of[field];
  },
  ({ of, field }) => {
    of[field] = [null];
  },
  ({ of, field }) => {
    of[field] = -0.5;
  },
];

for (const [name, format] of Object.entries(FORMATS)) {
  describe(name, () => {
    const schema = schemaOf(name, format);
    const keeps = contractOf(format);
    // A rule over several fields stands beside the schema: what its fields allow may break it.
    const values = valuesOf(schema).filter((value) => keeps(value) && ruleHolds(value));
    const ruleHolds = (value: unknown): boolean =>
      format.is(value) || !OVER_SEVERAL_FIELDS.test(troubleText(value, format));

    test('what the schema allows is read', () => {
      fc.assert(fc.property(values, (value) => assert.ok(format.is(value), troubleText(value, format))));
    });

    test('a further field is left to later versions; a person may have misspelt it', () => {
      fc.assert(
        fc.property(values, (value) => {
          const more = Array.isArray(value)
            ? value.map((one) => ({ ...one, more: 1 }))
            : { ...(value as object), more: 1 };
          assert.equal(format.is(more), !WRITTEN_BY_PEOPLE.has(name));
          assert.notDeepEqual(breaches(format, more), []);
        }),
      );
    });

    test('the check and the schema say the same of a value with a missing or a wrong field', () => {
      fc.assert(
        fc.property(values, fc.nat(), fc.constantFrom(...changes), (value, at, change) => {
          const changed: unknown = structuredClone(value);
          const places = placesIn(changed);
          const place = places[at % places.length];
          if (place !== undefined) change(place);
          if (!ruleHolds(changed)) return;
          const said = JSON.stringify([
            place?.field,
            troubleText(changed, format),
            breaches(format, changed),
          ]);
          assert.equal(format.is(changed), breaches(format, changed).length === 0, said);
        }),
      );
    });
  });
}

test('a record may name its journal and the product that the user stated', () => {
  const journal = { digest: `sha256:${'0123456789abcdef'.repeat(4)}` };
  const product = { name: 'Pets', vendor: 'Example Ltd', version: '2.1', configuration: 'in memory' };
  assert.deepEqual(breaches(serviceRecord, { ...conforming(), journal, product }), []);
  assert.notDeepEqual(breaches(serviceRecord, { ...conforming(), journal: { digest: 'md5:0' } }), []);
  assert.notDeepEqual(breaches(serviceRecord, { ...conforming(), product: {} }), []);
});

test('the contract rejects verdicts, outcomes and exchanges that do not exist', () => {
  const record = violating();
  const [finding] = record.requirements;
  const broken = [
    { ...record, outcome: 'green' },
    { ...record, schemaVersion: 1 },
    { ...record, startedAt: 'yesterday' },
    { ...record, requirements: [{ ...finding, verdict: 'skipped' }] },
    { ...record, requirements: [{ ...finding, exchanges: [0] }] },
    { ...record, requirements: [{ ...finding, because: '' }] },
    { ...record, requirements: [{ ...finding, reason: 'a pass has none' }] },
    { ...record, requirements: [{ ...finding, verdict: 'fail' }] },
    { ...record, causes: [{ id: 'one', title: 'alone', requirements: ['LIST-1'] }] },
    { ...record, headline: { kind: 'other', text: 'a', fix: 'b' } },
  ];
  for (const one of broken)
    assert.notDeepEqual(breaches(serviceRecord, one), [], JSON.stringify(one).slice(0, 80));
});

test('a report printed in a terminal shows no character that cannot be seen', () => {
  for (const text of HOSTILE) {
    assert.doesNotMatch(
      renderJson(hostile(text)),
      /[^\n\P{Cc}]|[\u202a-\u202e\u2066-\u2069\u200b\u2028\u2029]/u,
    );
  }
});
