import assert from 'node:assert/strict';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { HtmlValidate } from 'html-validate';
import type { Shape } from '../../../kernel/basics/shape.ts';
import { schemaOf } from '../../../kernel/basics/shape.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { register } from '../../../spec/register.ts';
import type { GivenFinding } from './records.ts';
import { recordWith } from './records.ts';

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
addFormats.default(ajv);

const contracts = new Map<Shape<unknown>, ValidateFunction>();

/** The published contract of a format, as others read it. To compile one takes as long as many tests. */
export function contractOf(format: Shape<unknown>): ValidateFunction {
  const contract = contracts.get(format) ?? ajv.compile(schemaOf('a contract', format));
  contracts.set(format, contract);
  return contract;
}

/** How a value breaks the published contract of a format, one line each; empty for a valid value. */
export function breaches(format: Shape<unknown>, value: unknown): readonly string[] {
  const keeps = contractOf(format);
  if (keeps(value)) return [];
  return (keeps.errors ?? []).map((one) => `${one.instancePath} ${one.message ?? one.keyword}`);
}

/** A run of which everything that the first page states is as long as it can be. */
export function crammed(): RunRecord {
  const text = 'A plain sentence of many words. '.repeat(20);
  const words = { expected: text, received: text, reason: text } as const;
  const findings = register.map(({ id }, at): readonly [string, GivenFinding] => {
    if (['RATE-5', 'LIMIT-7', 'LIMIT-9', 'BAN-1', 'VER-2'].includes(id))
      return [id, { verdict: 'not-tested', reason: `${id} needs something else. ${text.slice(0, 150)}` }];
    return [id, { ...words, verdict: at % 9 === 0 ? 'inconclusive' : 'fail' }];
  });
  return recordWith(Object.fromEntries(findings), {
    headline: { kind: 'other-plan', text: text.slice(0, 230), fix: text.slice(0, 200) },
    target: { baseUrl: `https://${'a-long-name.'.repeat(8)}example.com/api/v1`, plan: 'free' },
    product: { name: text, vendor: text, version: '1.2.3', configuration: text },
    strict: true,
    remarks: [text, text, text, text],
  });
}

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: { 'no-trailing-whitespace': 'off', 'long-title': 'off' },
});

/** The page is valid HTML, which everybody can use. */
export async function assertValidHtml(page: string): Promise<void> {
  const { results } = await validator.validateString(page);
  const complaints = results.flatMap(({ messages }) =>
    messages.map(({ line, message, ruleId }) => `${line}: ${message} ${ruleId}`),
  );
  assert.deepEqual(complaints, []);
}
