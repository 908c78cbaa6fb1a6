import { expectJson, expectStatus, isProblem } from '../evidence/answers.ts';
import type { Contents, List, Seen } from '../evidence/categories.ts';
import { creationsByExchange, creationsSeen, isPart, lists } from '../evidence/categories.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { jsonOf, stringsIn } from '../evidence/json.ts';
import type { Judgement, Problem } from '../evidence/judgement.ts';
import { fail, inconclusive, judgeEach, pass, unclear, violation } from '../evidence/judgement.ts';
import { fate, name, quote, show } from '../evidence/quote.ts';
import type { JudgedId, Observable, Requirement } from '../evidence/requirement.ts';
import { isJson } from '../evidence/schemas.ts';
import { unavailable } from '../limits/series.ts';
import type { Exchange } from '../model/exchange.ts';
import { statusOf } from '../model/headers.ts';
import { shown } from '../model/operation.ts';
import { NAME_PREFIX } from '../probes/bodies.ts';
import { creations, firstCreation, listAfterCreations, secondBatch } from '../probes/creations.ts';
import { openCreations } from '../probes/open-questions.ts';
import { recovery } from '../probes/recovery.ts';
import { invalidBodies, rejections } from '../probes/rejections.ts';
import { strangers } from '../probes/strangers.ts';

const UNCHECKED =
  'Clients act on the status that is documented; a body that is taken instead becomes data that everybody has to live with.';
const COERCED = 'Many readers turn a number or a boolean into a string by themselves: have yours be strict.';
const HALF_READ = 'Many parsers are content with the first value: read to the end of the body.';

/** Judges that every body of this requirement is refused with 400; `taken` says how a service comes to take one. */
function refuses(id: JudgedId, what: string, taken?: string): Requirement {
  const steps = new Set(
    invalidBodies.filter(({ requirement }) => requirement === id).map(({ step }) => step),
  );
  const problem = (exchange: Exchange): Problem | undefined => {
    const found = expectStatus(exchange, 400, `a creation where "${exchange.step}"`);
    return found?.kind === 'violation' && taken !== undefined && statusOf(exchange) === 201
      ? violation(`${found.text} ${taken}`)
      : found;
  };
  return {
    id,
    asks: [rejections],
    matters: UNCHECKED,
    judge: (evidence) =>
      judgeEach(
        evidence.of(rejections).filter(({ step }) => steps.has(step)),
        problem,
        { good: `${what} answered 400`, none: evidence.whyNothing(rejections), every: true },
      ),
  };
}

/** Judges that a valid creation of one step is answered 201. */
function accepts(id: 'CREATE-1' | 'CREATE-2', what: string, steps: readonly string[]): Requirement {
  return {
    id,
    asks: [firstCreation, creations],
    matters: 'Creating a category is one of the two operations of this interface.',
    judge: (evidence) =>
      judgeEach(
        evidence.of(firstCreation, creations).filter(({ step }) => steps.includes(step)),
        (exchange) =>
          statusOf(exchange) !== 201 && askedBefore(evidence, exchange)
            ? unclear(
                `Expected 201 for ${what}, but ${name(exchange)} ${fate(exchange)}; the same was sent before and its answer was lost, so it may stand there already.`,
              )
            : expectStatus(exchange, 201, what),
        { good: 'It was answered 201', none: evidence.whyNothing(firstCreation, creations) },
      ),
  };
}

/** Whether the same body was sent before and no answer came: a service may refuse a second category of that name. */
const askedBefore = (evidence: Evidence, { n, step, request }: Exchange): boolean =>
  evidence
    .fact(untold)
    .some((one) => one.n < n && one.step === step && one.request.body?.text === request.body?.text);

/** What was sent with the key, and may have been done although nobody said so. */
const untold = (evidence: Evidence): readonly Exchange[] =>
  evidence.by('key').filter((one) => statusOf(one) === undefined || unavailable(one));

/** Chapter "Create a category". */
export const createCategory: readonly Requirement[] = [
  accepts('CREATE-1', 'a creation with name and description', [
    'name and description',
    'name and description, again',
  ]),
  accepts('CREATE-2', 'a creation with a name alone', ['name alone']),
  {
    id: 'CREATE-3',
    asks: [firstCreation, creations],
    matters: 'The answer is all that a client knows of what it has created.',
    judge: (evidence) =>
      judgeEach(created(evidence), (exchange) => echoProblem(evidence, exchange), {
        good: 'Every 201 is a Category with the name and description that were sent',
        none: evidence.whyNothing(firstCreation, creations),
      }),
  },
  refuses('CREATE-4', 'A body without a name'),
  refuses('CREATE-5', 'Every name that is not a string', COERCED),
  refuses('CREATE-6', 'Every description that is not a string', COERCED),
  refuses('CREATE-7', 'Every body that is not an object'),
  refuses('CREATE-8', 'An absent body'),
  refuses('CREATE-9', 'Malformed JSON', HALF_READ),
  {
    id: 'CREATE-10',
    asks: [rejections, strangers, listAfterCreations, secondBatch, recovery],
    matters: 'A client that was told "no" will not look for what it has created, and will send it again.',
    judge: createsNothing,
  },
  {
    id: 'CREATE-11',
    asks: [firstCreation, creations],
    matters: 'Two categories with one id cannot be told apart.',
    judge(evidence) {
      const seenIds = new Map<string, Exchange>();
      const made = creationsSeen(evidence).filter(({ seen }) => seen?.id !== undefined);
      for (const { exchange, seen } of made) {
        const before = seenIds.get(seen?.id ?? '');
        if (before !== undefined) {
          return {
            verdict: 'fail',
            because: `Expected two ids for two creations, but ${name(before)} and ${name(exchange)} both got ${show(seen?.id)}.`,
            exchanges: [before, exchange],
          };
        }
        seenIds.set(seen?.id ?? '', exchange);
      }
      if (made.length < 2) return inconclusive(evidence.whyNothing(creations));
      return pass(
        `${made.length} creations got ${made.length} ids.`,
        made.slice(0, 5).map(({ exchange }) => exchange),
      );
    },
  },
  {
    id: 'CREATE-12',
    asks: [creations],
    matters: 'An id that a client can choose is an id that two clients can choose.',
    judge: (evidence) =>
      judgeEach(
        evidence
          .step(creations, 'id of our own')
          .filter((exchange) => statusOf(exchange) === 201 || statusOf(exchange) === 400),
        (exchange) => {
          // Who refuses such a creation adopts nothing.
          const creation = evidence.fact(creationsByExchange).get(exchange);
          return creation?.seen?.id === OWN_ID
            ? violation(
                `Expected an id of the service’s own, but ${name(exchange)} adopted the id ${OWN_ID} that was sent.`,
              )
            : undefined;
        },
        {
          good: 'The id that was sent was not adopted',
          none: 'The creation that sent an id was answered neither 201 nor 400.',
        },
      ),
  },
];

const OWN_ID = '9007199254740993';

const created = (evidence: Evidence): readonly Exchange[] =>
  evidence.of(firstCreation, creations).filter((exchange) => statusOf(exchange) === 201);

function echoProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const json = expectJson(exchange, 'the created category');
  if (isProblem(json)) return json;
  const broken = evidence.schemas.category(json).find(({ problem }) => problem.kind === 'violation');
  if (broken !== undefined)
    return violation(`Expected a Category, but the body of ${name(exchange)} ${broken.problem.text}.`);
  const creation = evidence.fact(creationsByExchange).get(exchange);
  if (creation?.seen === undefined) return undefined;
  const { sent, seen } = creation;
  if (seen.name !== sent.name) {
    return violation(
      `Expected the name ${quote(sent.name)}, but ${name(exchange)} answered ${show(seen.name)}.`,
    );
  }
  if (sent.description !== undefined && seen.description !== sent.description) {
    return violation(
      `Expected the description ${quote(sent.description)}, but ${name(exchange)} answered ${show(seen.description)}.`,
    );
  }
  return undefined;
}

/** The strings of a refused creation that mark it as ours. */
function markers(exchange: Exchange): readonly string[] {
  const { body } = exchange.request;
  if (body === null) return [];
  const json = jsonOf(body);
  const strings = isJson(json) ? stringsIn(json.value) : (body.text.match(/pc-[a-z0-9-]+/g) ?? []);
  return strings.filter((text) => text.startsWith(NAME_PREFIX));
}

function createsNothing(evidence: Evidence): Judgement {
  const refusals = new Map<string, Exchange>();
  const all = lists(evidence);
  const lastAsked = all.reduce(
    (last, { exchange }) => Math.max(last, exchange.sent.mono),
    Number.NEGATIVE_INFINITY,
  );
  let looked = 0;
  for (const exchange of evidence.of(rejections, strangers)) {
    const status = statusOf(exchange);
    if (exchange.request.method !== 'POST' || !shown(exchange) || (status !== 400 && status !== 401))
      continue;
    const marks = markers(exchange);
    if (marks.length === 0 || lastAsked < exchange.received.mono) continue;
    looked += 1;
    for (const mark of marks) if (!refusals.has(mark)) refusals.set(mark, exchange);
  }
  for (const list of all) {
    const found = madeAnyway(list, refusals, evidence.fact(markedItems));
    if (found === undefined) continue;
    const [exchange, item] = found;
    return fail(
      `Expected nothing to be created by ${name(exchange)}, which ${fate(exchange)}, but ${name(list.exchange)} lists it with id ${show(item.id)} and name ${show(item.name)}.`,
      [exchange, list.exchange],
    );
  }
  if (looked === 0) return inconclusive(evidence.whyNothing(rejections));
  if (all.every(isPart)) {
    return inconclusive(
      'Every list says that it is a part, so what was created may stand in another.',
      all.slice(0, 1).map(({ exchange }) => exchange),
    );
  }
  return pass(`None of ${looked} refused creations stands in a later list.`);
}

type Marked = readonly (readonly [mark: string, item: Seen])[];

/** Every item of every list that holds a string of a conformance run, once for lists with the same body. */
function markedItems(evidence: Evidence): ReadonlyMap<Contents, Marked> {
  const found = new Map<Contents, Marked>();
  for (const { contents } of lists(evidence)) {
    if (found.has(contents)) continue;
    const marked = contents.items.flatMap((item) =>
      stringsIn(item.json.value)
        .filter((text) => text.startsWith(NAME_PREFIX))
        .map((mark) => [mark, item] as const),
    );
    found.set(contents, marked);
  }
  return found;
}

/** The refused creation that stands in a later list, and its entry there. */
function madeAnyway(
  { exchange, contents }: List,
  refusals: ReadonlyMap<string, Exchange>,
  marked: ReadonlyMap<Contents, Marked>,
): readonly [Exchange, Seen] | undefined {
  for (const [mark, item] of marked.get(contents) ?? []) {
    const refusal = refusals.get(mark);
    if (refusal !== undefined && refusal.received.mono <= exchange.sent.mono) return [refusal, item];
  }
  return undefined;
}

/** What the specification leaves open about creations. */
export const openCreationsObserved: readonly Observable[] = [
  {
    id: 'CREATE-13',
    asks: [openCreations],
    observe(evidence) {
      const exchanges = evidence.of(openCreations);
      if (exchanges.length === 0) return { value: evidence.whyNothing(openCreations) };
      return {
        value: exchanges.map((exchange) => `${exchange.step}: ${fate(exchange)}`).join('; '),
        exchanges,
      };
    },
  },
];
