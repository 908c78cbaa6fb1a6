import type { RefinedResponse } from 'k6/http';
import type { Operation } from '../model/profile.ts';
import type { SampleOutcome } from '../model/sample.ts';
import type { BodyReader } from './body-reader.ts';
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
  { field: 'age', name: 'Age' },
  { field: 'xCache', name: 'X-Cache' },
] as const;

/** The outcome of a request, and the name that it sent where it was a creation. */
type OutcomeReader = (
  response: Pick<RefinedResponse<'none' | 'text'>, 'status' | 'error' | 'headers' | 'body'>,
  operation: Operation,
  name: string,
) => SampleOutcome;

/**
 * Makes the function that reads the outcome of a response.
 * @param secrets what no sample may contain.
 * @param bodies of the same key.
 */
export function outcomeReader(secrets: readonly string[], bodies: BodyReader): OutcomeReader {
  /** The latest value of each header and its bounded text: most responses repeat the value before. */
  const latest: Record<string, { readonly value: string; readonly text: string }> = {};
  return ({ status, error, headers, body }, operation, name) => {
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
    const read = bodies.read(operation, name, {
      status,
      body: body ?? null,
      contentLength: headers['Content-Length'],
      contentEncoding: headers['Content-Encoding'],
    });
    if (read !== undefined) outcome.body = read;
    return outcome;
  };
}
