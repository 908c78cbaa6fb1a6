import { isJsonObject } from '../../kernel/basics/json.ts';
import { either, listOf, text } from '../../kernel/basics/shape.ts';
import { UserError } from '../../kernel/basics/user-error.ts';

/** Options as a program without types may give them. */
type Untyped = Readonly<Partial<Record<'keys' | 'plans' | 'headers' | 'only' | 'skip', unknown>>>;

const headerLines = listOf((line) => Array.isArray(line) && line.length === 2 && line.every(text));
const ids = either(text, listOf(text));

/**
 * Checks the options that have a structure: a program in JavaScript may give anything.
 * @throws {UserError} where one is something else.
 */
export function checkOptionTypes({ keys, plans, headers = [], only = [], skip = [] }: Untyped): void {
  if (!isJsonObject(keys)) throw new UserError("keys is not set: give an object such as { key: '…' }.");
  if (plans !== undefined && !(isJsonObject(plans) && isJsonObject(plans['plans'])))
    throw new UserError('plans takes an object with minuteSeconds, daySeconds and plans.');
  if (!headerLines(headers)) throw new UserError("headers takes a list of pairs such as ['X-Tenant', 'a'].");
  for (const [name, given] of Object.entries({ only, skip }))
    if (!ids(given)) throw new UserError(`${name} takes an id or a list of ids, such as ['AUTH-1', 'RATE'].`);
}
