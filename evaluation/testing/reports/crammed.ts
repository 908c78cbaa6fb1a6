import type { RunRecord } from '../../../kernel/findings/record.ts';
import { register } from '../../../spec/register.ts';
import type { GivenFinding } from './records.ts';
import { recordWith } from './records.ts';

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
