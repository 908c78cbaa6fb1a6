import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { breaches, contractOf } from '../../evaluation/testing/reports/contracts.ts';
import { conforming, HOSTILE, hostile, violating } from '../../evaluation/testing/reports/records.ts';
import { isJsonObject } from '../../kernel/basics/json.ts';
import type { JsonSchema, Shape } from '../../kernel/basics/shape.ts';
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

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Any value that keeps a JSON Schema, as far as shapes use its keywords; rules over several fields aside. */
function valuesOf(schema: JsonSchema, definitions = schema['$defs'] as Schemas): fc.Arbitrary<unknown> {
  const of = (one: unknown): fc.Arbitrary<unknown> => valuesOf(one as JsonSchema, definitions);
  const { $ref, enum: among, anyOf, oneOf, type, items, minItems = 0, prefixItems } = schema;
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(among)) return fc.constantFrom(...among);
  if (typeof $ref === 'string') return of(definitions[$ref.replace('#/$defs/', '')]);
  if (Array.isArray(oneOf)) return fc.oneof(...oneOf.map(of));
  if (Array.isArray(prefixItems)) return fc.tuple(...prefixItems.map(of));
  if (type === 'object') return objectsOf(schema, of);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(of));
  if (type === 'array')
    return fc.array(of(items), {
      minLength: Number(minItems),
      maxLength: Number(schema['maxItems'] ?? Number(minItems) + 2),
    });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  return type === 'string' ? textsOf(schema) : numbersOf(schema);
}

function objectsOf(schema: JsonSchema, of: (one: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (additionalProperties !== false)
    return fc.dictionary(fc.string({ maxLength: 4 }), of(additionalProperties), { maxKeys: 2 });
  const fields = Object.entries(properties as object).map(([name, one]) => [name, of(one)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required as string[] });
}

const matching = new Map<string, fc.Arbitrary<string>>();

/** Texts that match. To prepare one takes milliseconds, and a pattern stands at many places of a schema. */
function textsMatching(pattern: string): fc.Arbitrary<string> {
  const known = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'));
  matching.set(pattern, known);
  return known;
}

function textsOf({ pattern, format, minLength = 0, maxLength }: JsonSchema): fc.Arbitrary<unknown> {
  if (pattern === '^[Hh][Tt][Tt][Pp][Ss]?:') return fc.webUrl();
  if (typeof pattern === 'string') return textsMatching(pattern);
  const from = new Date('2026-01-01T00:00:00Z');
  const times = fc
    .date({ min: from, max: new Date('2027-01-01T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString());
  if (format === 'date-time') return times;
  if (format === 'date') return times.map((time) => time.slice(0, 10));
  return fc.string({ minLength: Number(minLength), maxLength: Number(maxLength ?? Number(minLength) + 5) });
}

function numbersOf({ type, minimum, exclusiveMinimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const min = Number(minimum ?? exclusiveMinimum ?? -1000);
  const max = Number(maximum ?? min + 1000);
  if (type === 'integer') return fc.integer({ min, max });
  return fc.double({ min, max, minExcluded: exclusiveMinimum !== undefined, noNaN: true });
}

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
