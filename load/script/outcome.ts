import type { RefinedResponse } from 'k6/http';
import type { SampleOutcome } from '../model/sample.ts';
import { errorText, headerText } from './header-text.ts';

type ReadonlyAnswer = SampleOutcome & { readonly kind: 'answer' };
type AnswerOutcome = { -readonly [Field in keyof ReadonlyAnswer]: ReadonlyAnswer[Field] };

/** The headers of a sample, in the spelling of k6 (Go's canonical form). */
const HEADERS = [
  { field: 'limit', name: 'X-Ratelimit-Limit' },
  { field: 'remaining', name: 'X-Ratelimit-Remaining' },
  { field: 'reset', name: 'X-Ratelimit-Reset' },
  { field: 'retryAfter', name: 'Retry-After' },
  { field: 'date', name: 'Date' },
] as const;

/**
 * Makes the function that reads the outcome of a response.
 * @param secrets what no sample may contain.
 */
export function outcomeReader(
  secrets: readonly string[],
): (response: RefinedResponse<'none'>) => SampleOutcome {
  /** The latest value of each header and its bounded text: most responses repeat the value before. */
  const latest: Record<string, { readonly value: string; readonly text: string }> = {};
  return ({ status, error, headers }) => {
    if (status === 0) return { kind: 'no-response', error: errorText(error, secrets) };
    const outcome: AnswerOutcome = { kind: 'answer', status };
    for (let i = 0; i < HEADERS.length; i += 1) {
      const header = HEADERS[i];
      const value = header === undefined ? undefined : headers[header.name];
      if (header === undefined || value === undefined) continue;
      let known = latest[header.field];
      if (known?.value !== value) {
        known = { value, text: headerText(value, secrets) };
        latest[header.field] = known;
      }
      outcome[header.field] = known.text;
    }
    return outcome;
  };
}
