import { bodyTextForPeople } from '../../exchanges/body.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { exchangeName } from '../../exchanges/exchange-text.ts';
import { answerOf, headerValue, statusOf } from '../../exchanges/headers.ts';
import { countOf } from '../../words/text.ts';
import { documented, expectJson, isProblem } from '../evidence/answers.ts';
import type { Contents, Creation, Seen } from '../evidence/categories.ts';
import { creationsSeen, lists, sightings } from '../evidence/categories.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { integerOf } from '../evidence/integer.ts';
import { fieldsOf, jsonOf, numberText } from '../evidence/json.ts';
import { jsonValueText } from '../evidence/json-value-text.ts';
import type { Judgement, Problem } from '../evidence/judgement.ts';
import {
  doubt,
  fail,
  inconclusive,
  judgeEach,
  pass,
  unclear,
  violation,
  warn,
} from '../evidence/judgement.ts';
import type { Observable, Requirement } from '../evidence/requirement.ts';
import { isJson } from '../evidence/schemas.ts';
import { creations, firstBatch, firstCreation, listAfterCreations } from '../probes/creations.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { preflight } from '../probes/preflight.ts';
import { rejections } from '../probes/rejections.ts';
import {
  invalidCredentials,
  unauthenticatedAfterKey,
  unauthenticatedBeforeKey,
} from '../probes/unauthenticated.ts';

const SHOWS_CATEGORIES = [preflight, firstCreation, creations, firstBatch, listAfterCreations] as const;

/** Names whose creation sent a null description, which the specification leaves open. */
function sentNull(evidence: Evidence): ReadonlySet<unknown> {
  const names = evidence.exchanges.flatMap(({ request }) => {
    const body = request.method === 'POST' && request.body !== null ? jsonOf(request.body) : undefined;
    const fields = body !== undefined && isJson(body) ? fieldsOf(body.value) : undefined;
    return fields?.get('description') === null ? [fields.get('name')] : [];
  });
  return new Set(names);
}

/** Judges one field of every category that was seen. */
function field(id: 'CAT-1' | 'CAT-2' | 'CAT-3', wanted: string, whyItMatters: string): Requirement {
  const key = { 'CAT-1': 'id', 'CAT-2': 'name', 'CAT-3': 'description' }[id];
  return {
    id,
    probes: SHOWS_CATEGORIES,
    whyItMatters,
    judge: (evidence) => judgeField(evidence, key, wanted),
  };
}

function judgeField(evidence: Evidence, key: string, wanted: string): Judgement {
  const all = evidence.fact(sightings).filter(({ seen }) => fieldsOf(seen.json.value) !== undefined);
  const excused = evidence.fact(sentNull);
  const found = (kind: Problem['kind']) => {
    for (const { exchange, seen } of all) {
      const problem = seen.problems.find((one) => one.field === key && one.problem.kind === kind);
      if (problem === undefined || (kind === 'doubt' && excused.has(seen.name))) continue;
      const text = `Expected ${wanted}, but a category in ${exchangeName(exchange)} ${problem.problem.text}.`;
      return { text, exchanges: [exchange] };
    }
    return undefined;
  };
  const broken = found('violation');
  if (broken !== undefined) return fail(broken.text, broken.exchanges);
  const dubious = found('doubt');
  if (dubious !== undefined) return warn(dubious.text, dubious.exchanges);
  if (all.length === 0) return inconclusive(evidence.whyNothing(...SHOWS_CATEGORIES));
  const where = key === 'description' ? ' or none (null only where null was sent)' : '';
  return pass(
    `Categories stood ${countOf(all.length, 'time')} in 201 responses and in lists, a list that came again counted once, each time with ${wanted}${where}.`,
  );
}

/** Judges that every answer with this status carries an Error body. */
function carriesError(id: 'ERR-1' | 'ERR-2', status: 400 | 401, probes: Requirement['probes']): Requirement {
  return {
    id,
    probes,
    whyItMatters: 'Clients read `code` and `message` to tell their users what went wrong.',
    judge: (evidence) =>
      judgeEach(documented(evidence, status), (exchange) => errorProblem(evidence, exchange), {
        good: `Every ${status}${status === 400 ? ' to a creation' : ''} carries \`code\` and \`message\` as strings and \`status\` as an integer`,
        none: evidence.whyNothing(...probes),
      }),
  };
}

function errorProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const json = expectJson(exchange, 'an Error');
  if (isProblem(json)) return json;
  const broken = evidence.schemas.error(json)[0];
  if (broken !== undefined) {
    return violation(
      `Expected an Error (code, message, status), but the body of ${exchangeName(exchange)} ${broken.problem.text}.`,
    );
  }
  const message = fieldsOf(json.value)?.get('message');
  return typeof message === 'string' && message.trim() === ''
    ? doubt(
        `Expected a description that people can read, but the \`message\` of ${exchangeName(exchange)} is ${jsonValueText(message)}.`,
      )
    : undefined;
}

const REJECTED = [rejections] as const;
const UNAUTHENTICATED = [unauthenticatedBeforeKey, unauthenticatedAfterKey, invalidCredentials] as const;

/** Chapter "Category and Error schemas". */
export const schemas: readonly Requirement[] = [
  field(
    'CAT-1',
    'an `id` that is an integer in the int64 range',
    'A client stores the id in 64 bits and asks for the category by it.',
  ),
  field('CAT-2', 'a `name` that is a string', 'The name is what people see of a category.'),
  field('CAT-3', 'a `description` that is a string', 'A typed client fails on a field of another type.'),
  {
    id: 'CAT-4',
    probes: [...SHOWS_CATEGORIES],
    whyItMatters: 'A category that changes between creation and list has two truths.',
    judge: staysTheSame,
  },
  carriesError('ERR-1', 400, REJECTED),
  carriesError('ERR-2', 401, UNAUTHENTICATED),
  {
    id: 'ERR-3',
    probes: [...REJECTED, ...UNAUTHENTICATED],
    whyItMatters:
      'Logs and queues keep the body and lose the status line; a wrong status there misleads everybody after.',
    judge: (evidence) =>
      judgeEach(documented(evidence, 400, 401), statusProblem, {
        good: 'The `status` of every Error that has one is the HTTP status',
        none: evidence.whyNothing(...REJECTED, ...UNAUTHENTICATED),
      }),
  },
  {
    id: 'ERR-4',
    probes: [...REJECTED, ...UNAUTHENTICATED],
    whyItMatters: 'Programs decide by the code; one that is empty or changes decides nothing.',
    judge: (evidence) => {
      const codes = new Map<string, { readonly code: string; readonly exchange: Exchange }>();
      return judgeEach(documented(evidence, 400, 401), (exchange) => codeProblem(exchange, codes), {
        good: 'No `code` is empty, and what was asked more than once got one code',
        none: evidence.whyNothing(...REJECTED, ...UNAUTHENTICATED),
      });
    },
  },
];

function staysTheSame(evidence: Evidence): Judgement {
  const made = creationsSeen(evidence).filter(({ seen }) => seen?.id !== undefined);
  const ours = ourEntries(made);
  let compared = 0;
  for (const { exchange: listing, contents } of lists(evidence)) {
    for (const [{ exchange, seen }, item] of ours(contents)) {
      if (listing.sent.mono < exchange.received.mono) continue;
      compared += 1;
      const different = (['id', 'name', 'description'] as const).find((key) => item[key] !== seen?.[key]);
      if (different === undefined) continue;
      return fail(
        `Expected the category of ${exchangeName(exchange)} unchanged, but ${exchangeName(listing)} lists it with ${different} ${jsonValueText(item[different])} instead of ${jsonValueText(seen?.[different])}.${different === 'name' ? TWO_OF_ONE_ID : ''}`,
        [exchange, listing],
      );
    }
  }
  if (compared === 0)
    return inconclusive('No created category was seen in a list, so there is nothing to compare.');
  return pass(
    `${countOf(compared, 'comparison')} of the 201 to a creation with an entry of a later list found no difference in \`id\`, \`name\` and \`description\`.`,
  );
}

/** An entry with another name was found by its id. */
const TWO_OF_ONE_ID =
  ' If that is another category, two have the same id, as where each worker keeps a store of its own.';

type Entry = readonly [creation: Creation, item: Seen];

/** Finds the creations that a list's contents show, with their entries; each contents once. */
function ourEntries(made: readonly Creation[]): (contents: Contents) => readonly Entry[] {
  const named = new Map(made.map((creation) => [creation.seen?.name, creation]));
  const numbered = new Map(made.map((creation) => [creation.seen?.id, creation]));
  const known = new Map<Contents, readonly Entry[]>();
  return (contents) => {
    const before = known.get(contents);
    if (before !== undefined) return before;
    const shown = new Set(
      contents.items.flatMap((item) => [named.get(item.name) ?? [], numbered.get(item.id) ?? []].flat()),
    );
    const entries = [...shown].flatMap((creation): Entry[] => {
      const item = entryOf(creation, contents);
      return item === undefined ? [] : [[creation, item]];
    });
    known.set(contents, entries);
    return entries;
  };
}

/**
 * A creation's entry in a list: by its name, which is this run's alone, or else
 * by its id. The name stands there twice where a creation was sent again
 * because its connection broke; then the id tells which one was answered.
 */
function entryOf({ seen }: Creation, contents: Contents): Seen | undefined {
  const entries = contents.named(seen?.name);
  return entries.find((item) => item.id === seen?.id) ?? entries[0] ?? contents.numbered(seen?.id)[0];
}

function statusProblem(exchange: Exchange): Problem | undefined {
  const fields = errorFields(exchange);
  const status = fields?.get('status');
  const text = numberText(status);
  if (text === undefined)
    return unclear(`${exchangeName(exchange)} has no \`status\` to compare (ERR-1, ERR-2).`);
  const said = integerOf(text);
  if (typeof said === 'bigint' && Number(said) === statusOf(exchange)) return undefined;
  return violation(
    `Expected the status ${statusOf(exchange)} in the Error, but ${exchangeName(exchange)} says ${jsonValueText(status)}.`,
  );
}

function codeProblem(
  exchange: Exchange,
  codes: Map<string, { readonly code: string; readonly exchange: Exchange }>,
): Problem | undefined {
  const code = errorFields(exchange)?.get('code');
  if (typeof code !== 'string')
    return unclear(`${exchangeName(exchange)} has no \`code\` to compare (ERR-1, ERR-2).`);
  if (code.trim() === '')
    return violation(`Expected a code, but ${exchangeName(exchange)} has an empty one.`);
  const condition = conditionOf(exchange);
  const before = codes.get(condition);
  codes.set(condition, before ?? { code, exchange });
  return before === undefined || before.code === code
    ? undefined
    : violation(
        `Expected one code for one condition, but ${exchangeName(before.exchange)} says ${jsonValueText(before.code)} and ${exchangeName(exchange)} says ${jsonValueText(code)}.`,
      );
}

/** What a client did wrong, as far as it must have one code: no key at all, or one particular body. */
function conditionOf(exchange: Exchange): string {
  const { method, headers } = exchange.request;
  const anonymous = headerValue(headers, 'Authorization') === undefined;
  return `${statusOf(exchange)} ${method} ${anonymous ? 'without a key' : exchange.step}`;
}

function errorFields(exchange: Exchange): ReadonlyMap<string, unknown> | undefined {
  const json = expectJson(exchange, 'an Error');
  return isProblem(json) ? undefined : fieldsOf(json.value);
}

/** What the specification leaves open about errors. */
export const openErrors: readonly Observable[] = [
  {
    id: 'ERR-5',
    probes: [exhaustQuota, ...REJECTED, ...UNAUTHENTICATED],
    observe(evidence) {
      const limited = evidence.answered(429)[0];
      const codes = new Set(
        documented(evidence, 400, 401).flatMap((exchange) => {
          const code = errorFields(exchange)?.get('code');
          return typeof code === 'string' ? [`${statusOf(exchange)} ${jsonValueText(code)}`] : [];
        }),
      );
      const of429 = limited === undefined ? 'no 429 was seen' : bodyOf429(limited);
      return {
        value: `Codes: ${[...codes].slice(0, 12).join(', ') || 'none'}; ${of429}.`,
        exchanges: limited === undefined ? [] : [limited],
      };
    },
  },
];

function bodyOf429(limited: Exchange): string {
  const body = answerOf(limited)?.body;
  if (body === undefined || (body.bytes === 0 && !body.cut)) return 'a 429 has no body';
  return `a 429 has ${body.cut ? 'a body of which only a part is known, ' : 'the body '}${jsonValueText(bodyTextForPeople(body))}`;
}
