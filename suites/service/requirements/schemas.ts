import { capitalized, countOf } from '../../../kernel/basics/text.ts';
import { bodyTextForPeople } from '../../../kernel/exchanges/body.ts';
import { groupedBy, once } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, headerValues, statusOf } from '../../../kernel/exchanges/headers.ts';
import { exchangeName } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement, Problem } from '../../../kernel/findings/judgement.ts';
import {
  fail,
  furtherReasoned,
  inconclusive,
  judgeEach,
  pass,
  warn,
} from '../../../kernel/findings/judgement.ts';
import { documented, expectJson, isProblem } from '../evidence/answers.ts';
import type { Contents, Creation, Seen } from '../evidence/categories.ts';
import { creationsSeen, isOfKeyUnderTest, lists, namesSentOnce, sightings } from '../evidence/categories.ts';
import { changeOf } from '../evidence/changed-text.ts';
import type { Evidence, Observable, Requirement } from '../evidence/evidence.ts';
import { bodyFields, fieldsOf, integerOf, jsonValueText, numberText } from '../evidence/json.ts';
import { errorProblems } from '../evidence/schemas.ts';
import { UNAUTHENTICATED } from '../probes/index.ts';

function carriesError(id: 'ERR-1' | 'ERR-2', status: 400 | 401, probes: Requirement['probes']): Requirement {
  return {
    id,
    probes,
    whyItMatters: 'Clients read `code` and `message` to tell their users what went wrong.',
    fix: 'Write `code` and `message` as strings and `status` as an integer, in one error handler for all errors.',
    judge: (evidence) =>
      judgeEach(documented(evidence, status), errorProblem, {
        good: `Every ${status}${status === 400 ? ' to a creation' : ''} carries \`code\` and \`message\` as strings and \`status\` as an integer`,
        none: evidence.whyNothing(...probes),
      }),
  };
}

function errorProblem(exchange: Exchange): Problem | undefined {
  const json = expectJson(exchange, 'an Error');
  if (isProblem(json)) return json;
  const where = `in ${exchangeName(exchange)}`;
  const [broken] = errorProblems(json.value);
  if (broken !== undefined) {
    const { kind, received, reasoning } = broken;
    const fact = {
      expected: 'an Error with `code`, `message` and `status`',
      received: `${received} ${where}`,
    };
    return (kind === 'doubt' ? warn : fail)(furtherReasoned(fact, reasoning));
  }
  const message = fieldsOf(json.value)?.get('message');
  return typeof message === 'string' && message.trim() === ''
    ? warn({
        expected: 'a `message` that people can read',
        received: `${jsonValueText(message)} ${where}`,
      })
    : undefined;
}

const REJECTED = ['rejections'] as const;

const errors: readonly Requirement[] = [
  carriesError('ERR-1', 400, REJECTED),
  carriesError('ERR-2', 401, UNAUTHENTICATED),
  {
    id: 'ERR-3',
    probes: [...REJECTED, ...UNAUTHENTICATED],
    whyItMatters:
      'Logs and queues keep the body and lose the status line, so a wrong status there misleads every later reader.',
    fix: 'Set `status` in the body from the status code of the response, in one place.',
    judge: (evidence) =>
      judgeEach(documented(evidence, 400, 401), statusProblem, {
        good: 'The `status` of every Error that has one is the HTTP status',
        none: evidence.whyNothing(...REJECTED, ...UNAUTHENTICATED),
      }),
  },
  {
    id: 'ERR-4',
    probes: [...REJECTED, ...UNAUTHENTICATED],
    whyItMatters:
      'Programs decide by the code, and cannot decide by one that is empty, changes, or stands for every error.',
    fix: 'Give each kind of error one constant `code` without spaces, such as `invalid_name`, and leave the sentence to `message`.',
    judge: (evidence) => {
      const codes: Codes = { byCondition: new Map(), byStatus: new Map() };
      return judgeEach(documented(evidence, 400, 401), (exchange) => codeProblem(exchange, codes), {
        good: 'No `code` is empty or a sentence, no two equal requests received different ones, and no 400 has the code of a 401',
        none: evidence.whyNothing(...REJECTED, ...UNAUTHENTICATED),
      });
    },
  },
];

function statusProblem(exchange: Exchange): Problem | undefined {
  const fields = errorFields(exchange);
  const status = fields?.get('status');
  const text = numberText(status);
  if (text === undefined)
    return inconclusive(`${exchangeName(exchange)} has no \`status\` to compare (ERR-1, ERR-2).`);
  const integer = integerOf(text);
  if (typeof integer === 'bigint' && Number(integer) === statusOf(exchange)) return undefined;
  return fail({
    expected: `the status ${statusOf(exchange)} in the Error`,
    received: `${jsonValueText(status)} in ${exchangeName(exchange)}`,
  });
}

/** The errors so far, by the condition of the request and by the status and the code of the answer. */
interface Codes {
  readonly byCondition: Map<string, Exchange>;
  readonly byStatus: Map<string, Exchange>;
}

function codeProblem(exchange: Exchange, codes: Codes): Problem | undefined {
  const code = codeOf(exchange);
  if (typeof code !== 'string')
    return inconclusive(`${exchangeName(exchange)} has no \`code\` to compare (ERR-1, ERR-2).`);
  if (code.trim() === '')
    return fail({ expected: 'a code', received: `an empty one in ${exchangeName(exchange)}` });
  if (isSentence(code))
    return fail({
      expected: 'a code for programs',
      received: `the sentence ${jsonValueText(code)} in ${exchangeName(exchange)}`,
    });
  return changedCode(exchange, code, codes) ?? sharedCode(exchange, code, codes);
}

/** Words that are separated by white space: a status phrase has at most three of them ("Request Timeout", "Payload Too Large"). */
const MOST_WORDS = 3;

/** Whether a code is prose: more words than a name has, or several that end like a sentence. */
function isSentence(code: string): boolean {
  const words = code.trim().split(/\s+/, MOST_WORDS + 2).length;
  return words > MOST_WORDS || (words > 1 && /[.!?]$/.test(code.trim()));
}

function changedCode(exchange: Exchange, code: string, { byCondition }: Codes): Problem | undefined {
  const condition = conditionOf(exchange);
  const before = byCondition.get(condition);
  byCondition.set(condition, before ?? exchange);
  return before === undefined || codeOf(before) === code
    ? undefined
    : fail({
        expected: `one code for one condition, ${jsonValueText(codeOf(before))} as in ${exchangeName(before)}`,
        received: `${jsonValueText(code)} in ${exchangeName(exchange)}`,
      });
}

/** An invalid body and a missing key have one code: the code tells a program no more than that there is an error. */
function sharedCode(exchange: Exchange, code: string, { byStatus }: Codes): Problem | undefined {
  const status = String(statusOf(exchange));
  // A 400 to a request without a valid key may be about the key.
  if (status === '400' && exchange.caller === 'unauthenticated') return undefined;
  const other = byStatus.get(`${status === '400' ? '401' : '400'} ${code}`);
  byStatus.set(`${status} ${code}`, exchange);
  return other === undefined
    ? undefined
    : fail({
        expected: `another code than that of the ${statusOf(other)} in ${exchangeName(other)}`,
        received: `${jsonValueText(code)} with ${status} in ${exchangeName(exchange)}`,
      });
}

/** The error condition of a request, as far as it must have one code: no key at all, or one particular body. */
function conditionOf(exchange: Exchange): string {
  const { method, headers, body } = exchange.request;
  const anonymous = headerValues(headers, 'Authorization').length === 0;
  // Creations of one batch share a step, and each body may be invalid for another reason.
  const condition = anonymous
    ? 'without a key'
    : `${exchange.step} ${body === null ? '' : bodyTextForPeople(body)}`;
  return `${statusOf(exchange)} ${method} ${condition}`;
}

function errorFields(exchange: Exchange): ReadonlyMap<string, unknown> | undefined {
  const json = expectJson(exchange, 'an Error');
  return isProblem(json) ? undefined : fieldsOf(json.value);
}

const codeOf = (exchange: Exchange): unknown => errorFields(exchange)?.get('code');

const MOST_CODES = 12;

export const openErrors: Observable = {
  id: 'ERR-5',
  probes: ['exhaust-quota', ...REJECTED, ...UNAUTHENTICATED],
  observe(evidence) {
    const limited = evidence.answered(429)[0];
    const codes = new Set(
      documented(evidence, 400, 401).flatMap((exchange) => {
        const code = codeOf(exchange);
        return typeof code === 'string' ? [`${statusOf(exchange)} ${jsonValueText(code)}`] : [];
      }),
    );
    const of429 = limited === undefined ? 'no 429 was received' : bodyOf429(limited);
    return {
      value: `Codes: ${[...codes].slice(0, MOST_CODES).join(', ') || 'none'}; ${of429}.`,
      exchanges: limited === undefined ? [] : [limited],
    };
  },
};

function bodyOf429(limited: Exchange): string {
  const body = answerOf(limited)?.body;
  if (body === undefined || (body.bytes === 0 && !body.cut)) return 'a 429 has no body';
  return `a 429 has ${body.cut ? 'a body of which only a part was stored, ' : 'the body '}${jsonValueText(bodyTextForPeople(body))}`;
}

const SHOWS_CATEGORIES = [
  'preflight',
  'first-creation',
  'creations',
  'first-batch',
  'list-after-creations',
  'second-batch',
] as const;

/** Names whose creation sent a null description, which the specification leaves open. */
function namesSentWithNull(evidence: Evidence): ReadonlySet<unknown> {
  const names = evidence.exchanges.flatMap(({ request }) => {
    const fields = bodyFields(request.body);
    return fields?.get('description') === null ? [fields.get('name')] : [];
  });
  return new Set(names);
}

/** Judges one field of every category that was received. */
function field(
  id: 'CAT-1' | 'CAT-2' | 'CAT-3',
  wanted: string,
  words: Pick<Requirement, 'whyItMatters' | 'fix'>,
): Requirement {
  const key = { 'CAT-1': 'id', 'CAT-2': 'name', 'CAT-3': 'description' }[id];
  return { id, probes: SHOWS_CATEGORIES, ...words, judge: (evidence) => judgeField(evidence, key, wanted) };
}

function judgeField(evidence: Evidence, key: string, wanted: string): Judgement {
  const all = evidence.fact(sightings).filter(({ seen }) => fieldsOf(seen.value) !== undefined);
  const excused = evidence.fact(namesSentWithNull);
  for (const [kind, judged] of [
    ['violation', fail],
    ['doubt', warn],
  ] as const) {
    for (const { exchange, seen } of all) {
      const problem = seen.problems.find((one) => one.field === key && one.kind === kind);
      if (problem === undefined || (kind === 'doubt' && excused.has(seen.name))) continue;
      const { received, reasoning } = problem;
      const fact = { expected: wanted, received: `${received} in ${exchangeName(exchange)}` };
      return judged({ ...furtherReasoned(fact, reasoning), exchanges: [exchange] });
    }
  }
  if (all.length === 0) return inconclusive(evidence.whyNothing(...SHOWS_CATEGORIES));
  const where = key === 'description' ? ' or none (null only where null was sent)' : '';
  return pass(
    `Each of ${countOf(all.length, 'category', 'categories')} in 201 responses and lists has ${wanted}${where}; a list that was received again counts once.`,
  );
}

export const schemas: readonly Requirement[] = [
  field('CAT-1', 'an `id` that is an integer in the int64 range', {
    whyItMatters: 'A client stores the id in 64 bits and requests the category by it.',
    fix: 'Write the id as a JSON integer in the int64 range: not as a string, and not with a fraction.',
  }),
  field('CAT-2', 'a `name` that is a string', {
    whyItMatters: 'The name is what people see of a category.',
    fix: 'Write `name` as a string in every category.',
  }),
  field('CAT-3', 'a `description` that is a string', {
    whyItMatters: 'A typed client fails on a field of another type.',
    fix: 'Write `description` as a string, and leave the field out where there is none.',
  }),
  {
    id: 'CAT-4',
    probes: SHOWS_CATEGORIES,
    whyItMatters: 'Clients cannot know which of two versions of a category is right.',
    fix: 'Answer the creation with the category as it was stored, and list the same stored values.',
    judge: staysTheSame,
  },
  ...errors,
];

type Field = 'id' | 'name' | 'description';

/** A creation may return the category that has its name; one that changes it loses what was confirmed before. */
function staysTheSame(evidence: Evidence): Judgement {
  // Each account may have categories of its own.
  const made = evidence
    .fact(creationsSeen)
    .filter(({ exchange, seen }) => isOfKeyUnderTest(exchange) && seen?.id !== undefined);
  const entriesIn = ourEntries(made, evidence.fact(namesSentOnce));
  let compared = 0;
  let inAnotherForm: Judgement | undefined;
  for (const { exchange: listing, contents } of evidence.fact(lists)) {
    if (!isOfKeyUnderTest(listing)) continue;
    for (const { creation, item, different } of entriesIn(contents)) {
      const { exchange, seen } = creation;
      if (listing.sent.mono < exchange.received.mono) continue;
      compared += 1;
      if (different === undefined) continue;
      const noneTwice = different === 'description' && hasNone(creation, item);
      const fact = {
        expected: `${different} ${jsonValueText(seen?.[different])} in the list, as in the 201 of ${exchangeName(exchange)}`,
        received: `${different} ${jsonValueText(item[different])} in ${exchangeName(listing)}`,
      };
      const shown = [exchange, listing];
      if (!noneTwice)
        return fail({
          ...furtherReasoned(fact, reasoningOf(creation, item, different, made)),
          exchanges: shown,
        });
      inAnotherForm ??= warn({ ...fact, reasoning: NONE_TWICE, exchanges: shown });
    }
  }
  if (inAnotherForm !== undefined) return inAnotherForm;
  if (compared === 0)
    return inconclusive('No created category was found in a list, so there is nothing to compare.');
  return pass(
    `${countOf(compared, 'comparison')} of a 201 with the entry in a later list found the same \`id\`, \`name\` and \`description\`.`,
  );
}

/** Whether no description was sent, and the 201 and the list each show none, in whatever form. */
const hasNone = ({ sent, seen }: Creation, item: Seen): boolean =>
  sent !== undefined &&
  sent.description === undefined &&
  openText(seen?.description) === '' &&
  openText(item.description) === '';

const NONE_TWICE =
  'None was sent. In one reading, null, an empty text and an absent field all mean that there is no description.';

function differentField({ sent, seen }: Creation, item: Seen): Field | undefined {
  const isSame = sent === undefined ? isSameOpenText : Object.is;
  return (['id', 'name', 'description'] as const).find((key) => !isSame(item[key], seen?.[key]));
}

/** No description may be null or empty, and neither white space around a name nor control characters in it need stay. */
const isSameOpenText = (one: unknown, other: unknown): boolean =>
  one === other || openText(one) === openText(other);

function openText(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? '';
  return value.replace(/[\p{Cc}\ufeff\ufffd]/gu, '').trim();
}

/** What is known about the difference, in whole sentences. */
function reasoningOf(
  creation: Creation,
  item: Seen,
  field: Field,
  made: readonly Creation[],
): string | undefined {
  const { exchange, seen } = creation;
  const later = made.find(
    (one) => one.exchange.n > exchange.n && one.seen?.id === seen?.id && one.seen?.[field] === item[field],
  );
  if (later !== undefined && field === 'description')
    return `${capitalized(exchangeName(later.exchange))} returned 201 with the same id, and overwrote the category.`;
  const before = seen?.[field];
  const cause = typeof before === 'string' ? changeOf(before, item[field])?.cause : undefined;
  return field === 'name' ? (cause ?? SAME_ID_TWICE) : cause;
}

/** An entry with another name was found by its id. */
const SAME_ID_TWICE =
  'If that is another category, two have the same id, as with workers that have separate stores.';

/** Finds the creations that a list contains, with their entries; equal contents are searched once. */
function ourEntries(made: readonly Creation[], sentOnce: ReadonlySet<string>) {
  const byId = groupedBy(made, ({ seen }) => seen?.id);
  const byName = groupedBy(made, ({ seen }) => seen?.name);
  // A long journal has thousands of creations, and a list holds few of them.
  const likely = ({ items }: Contents): Creation[] => [
    ...new Set(items.flatMap(({ id, name }) => [...(byId.get(id) ?? []), ...(byName.get(name) ?? [])])),
  ];
  return once((contents: Contents) =>
    likely(contents)
      .sort((a, b) => a.exchange.n - b.exchange.n)
      .flatMap((creation) => {
        const item = entryOf(creation, contents, sentOnce);
        return item === undefined ? [] : [{ creation, item, different: differentField(creation, item) }];
      }),
  );
}

/** By its name, which is unique to this run, or else by its id. Where the name may stand for another category, ids decide. */
function entryOf(creation: Creation, contents: Contents, sentOnce: ReadonlySet<string>): Seen | undefined {
  const { sent, seen } = creation;
  const numbered = contents.numbered(seen?.id);
  if (sent === undefined)
    return numbered.find((item) => differentField(creation, item) === undefined) ?? numbered[0];
  const entries = contents.named(seen?.name);
  const other = sentOnce.has(sent.name) ? entries[0] : undefined;
  return entries.find((item) => item.id === seen?.id) ?? other ?? numbered[0];
}
