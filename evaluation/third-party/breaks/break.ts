import { readFileSync } from 'node:fs';
import { idsWith } from '../../testing/verdicts.ts';

/** The words of the specification that a break violates, or that leave it open. */
export const sentences = {
  every: 'Every API response carries',
  limit: 'The limit in force for the caller.',
  remaining: 'Requests left in the current window.',
  reset: 'Unix timestamp at which the limit resets.',
  exceeds: 'A request that exceeds the limit gets `429 Too Many Requests`.',
  retry: 'The `Retry-After` header is present on a 429 response and tells the client when to retry.',
  plans: 'Requests per minute | Requests per day',
  allOperations: 'Rate limit exceeded (see Limits) | body: not shown | all operations',
  json: 'All requests and responses that carry a body use `application/json`.',
  list: '200: JSON array of Category objects (all categories)',
  created: '201: JSON Category, including the assigned `id`',
  rejected: '400 (Error body) when the body lacks required fields or holds invalid values',
  newCategory: 'A Category is a NewCategory plus `id`.',
  id: 'Assigned by the service on creation. Not supplied by the client.',
  integer: '| id | integer | int64 | yes |',
  name: '| name | string | none | yes | The category name. |',
  description: '| description | string | none | no | A short description of the category. |',
  error: 'Error responses carry the Error body (`code`, `message`, `status`).',
  code: '| code | string | yes | Machine-readable error code. |',
  message: '| message | string | yes | Human-readable description. |',
  status: '| status | integer | yes | The HTTP status code. |',
  bearer: 'Every operation requires a bearer credential',
  form: 'in the form `Bearer <API_KEY>`',
  invalid: 'When the key is missing or invalid, the service answers 401 with an Error body.',
  paging: 'Pagination, filtering and ordering of the list: not shown.',
  bounds: 'Length bounds and uniqueness rules of category fields: not shown.',
  open: 'not shown',
} as const;

/** What a run against a service with a break should say. */
export type Deserved =
  /** One of these requirements fails, or is at least warned of or doubted. */
  | { readonly verdict: 'fail' | 'warn' | 'inconclusive'; readonly ids: readonly string[] }
  /** Nothing fails, because the specification leaves it open. */
  | { readonly verdict: 'no fail' };

/** The requirements with each verdict that counts, of a certificate or a load run. */
export interface Verdicts {
  readonly fails: readonly string[];
  readonly warns?: readonly string[];
  readonly inconclusive: readonly string[];
}

/** The ids of requirements with each of these verdicts. */
export const verdictsOf = (record: Parameters<typeof idsWith>[0]): Required<Verdicts> => ({
  fails: idsWith(record, 'fail'),
  warns: idsWith(record, 'warn'),
  inconclusive: idsWith(record, 'inconclusive'),
});

/** What became of a break: `false fail` where something fails that the specification leaves open. */
export type Found = 'caught' | 'missed' | 'left open' | 'false fail';

/** Compares the verdicts of a run with what the break deserves. */
export function foundIn(deserved: Deserved, { fails, warns = [], inconclusive }: Verdicts): Found {
  if (deserved.verdict === 'no fail') return fails.length === 0 ? 'left open' : 'false fail';
  const less: readonly string[] = { fail: [], warn: warns, inconclusive }[deserved.verdict];
  return deserved.ids.some((id) => fails.includes(id) || less.includes(id)) ? 'caught' : 'missed';
}

/** One change to a service that conforms. */
export interface Break {
  /** The value of `BREAK` that the service reads. */
  readonly id: string;
  readonly description: string;
  readonly deserved: Deserved;
  /** Why no run of a Free key, or of the profiles, shows it, where none does. */
  readonly missed?: string;
}

/** A break of a service that is certified. */
export interface ServiceBreak extends Break {
  /** What it violates, or which sentence leaves it open. */
  readonly sentence: keyof typeof sentences;
}

/** A row of a table of breaks: `id (place), verdict ID…: description`, and below it why it is missed, where it is. */
const ROW =
  /^(?<id>\S+) \((?<place>[\w -]+)\), (?<verdict>fail|warn|inconclusive|no fail)(?<ids>(?: [A-Z\d-]+)*): (?<description>.+)$/;
const MISSED = /^ {2}missed: (.+)$/;

/** The breaks of a table of this folder, each with what stands in its brackets. @throws {Error} where a line is no row. */
export function breaksIn(table: string): readonly (readonly [place: string, one: Break])[] {
  const lines = readFileSync(new URL(`${table}.txt`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.flatMap((line, at) => {
    if (line.startsWith('#') || line.startsWith('  missed')) return [];
    const { id, place, verdict, ids = '', description } = ROW.exec(line)?.groups ?? {};
    if (id === undefined || place === undefined || description === undefined)
      throw new Error(`${table}.txt, line ${at + 1} is no row: ${line}`);
    const missed = MISSED.exec(lines[at + 1] ?? '')?.[1];
    const deserved = {
      verdict,
      ...(verdict === 'no fail' ? {} : { ids: ids.trim().split(' ') }),
    } as Deserved;
    return [[place, { id, description, deserved, ...(missed === undefined ? {} : { missed }) }]];
  });
}

/** The breaks of a service, from the table with its name. */
export const breaksOf = (service: string): readonly ServiceBreak[] =>
  breaksIn(service).map(([sentence, one]) => {
    if (!isSentence(sentence))
      throw new Error(`${service}.txt: there is no sentence ${sentence} (${one.id})`);
    return { ...one, sentence };
  });

const isSentence = (name: string): name is keyof typeof sentences => Object.hasOwn(sentences, name);
