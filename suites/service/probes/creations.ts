import { completeText } from '../../../kernel/exchanges/body.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { ofKey } from '../../../kernel/rate-limits/series.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { categoryNamer, clientChosenId, createdId, createRequest, listRequest } from './category-requests.ts';
import { exhaustQuota, tailOf } from './exhaust-quota.ts';
import { isBaseline } from './preflight.ts';
import type { Probe, RunInputs } from './probe.ts';
import { nextStoredValues } from './stored-values.ts';
import {
  LONGER_DESCRIPTION,
  plainDescription,
  plainerAttempts,
  sendValidCreation,
} from './valid-creation.ts';

/** Requests sent at the same time in one batch; fewer where the limit is a few requests. */
const BATCH = 6;

const batchSize = (perMinute: number): number =>
  Math.max(2, Math.min(BATCH, Math.floor((perMinute - 1) / 2)));

/** The same, and no more than the target accepts at once where that is less. */
const batchSizeAt = ({ limits, bucket }: Pacer): number =>
  Math.min(batchSize(limits.perMinute), bucket.mostAtOnce ?? BATCH);

/** The first creation. The count of the quota starts with a request that surely counts. */
export const firstCreation = {
  id: 'first-creation',
  description: 'one creation with name and description',
  steps: {
    nameAndDescription: 'name and description',
    ...plainerAttempts('name and description'),
  },
  cost: () => ({ withKey: 1, categoriesCreated: 1 }),
  async run(pacer, inputs) {
    const step = firstCreation.steps.nameAndDescription;
    await sendValidCreation(pacer, inputs, { step, what: 'full-1', description: LONGER_DESCRIPTION });
  },
} as const satisfies Probe;

const batchSteps = {
  parallel: exhaustQuota.steps.parallel,
  alone: 'alone, after 409 beside another creation',
} as const;

/** With the others of a run they are more than twenty, which many frameworks take as the size of a page. */
const creationsInFirstBatch = (size: number): number => (size < BATCH ? 0 : 3);

/** In the second batch most of the requests, where it is a whole one. */
const creationsInSecondBatch = (size: number): number => (size < BATCH ? Math.min(2, size) : 4);

const costOf =
  (creationsIn: (size: number) => number) =>
  ({ limits }: RunInputs) => {
    const withKey = batchSize(limits.perMinute);
    return { withKey, categoriesCreated: creationsIn(withKey) };
  };

/** Over new connections: creations with what this run has not stored yet, and lists, together as many as `size`. */
const batchOf = (pacer: Pacer, inputs: RunInputs, size: number, creations: number, accept?: string) => {
  const more: Partial<ProbeRequest> = { route: 'new', accept };
  const bodies = nextStoredValues(pacer, inputs, creations);
  return {
    creations: bodies.map((body) => createRequest(body, more)),
    lists: Array.from({ length: size - creations }, () => listRequest(more)),
  };
};

/** A creation that got 409 beside one that got 201 is sent once more, alone: then only a rule against its texts rejects it. */
async function sendBatch(pacer: Pacer, requests: readonly ProbeRequest[]): Promise<void> {
  const sent = await pacer.sendBatchWithKey(batchSteps.parallel, requests);
  const created = sent.filter(({ request }) => request.method === 'POST');
  const body = created.find((one) => statusOf(one) === 409)?.request.body?.text;
  if (body === undefined || !created.some((one) => statusOf(one) === 201)) return;
  await pacer.sendWithKey(batchSteps.alone, createRequest(body));
}

/** They show lost updates, counters of separate workers, two creations with one id, and creations of which only one is stored. */
export const firstBatch = {
  id: 'first-batch',
  description: 'parallel lists and creations over new connections',
  steps: batchSteps,
  cost: costOf(creationsInFirstBatch),
  async run(pacer, inputs) {
    const size = batchSizeAt(pacer);
    const { lists, creations } = batchOf(pacer, inputs, size, creationsInFirstBatch(size));
    await sendBatch(pacer, [...lists, ...creations]);
  },
} as const satisfies Probe;

/** Later in the window, creations first: the lists show how they were counted. Accepts any type, since bodies have to be JSON anyway. */
export const secondBatch = {
  id: 'second-batch',
  description: 'parallel lists and creations again, later in the window',
  steps: batchSteps,
  cost: costOf(creationsInSecondBatch),
  async run(pacer, inputs) {
    const size = secondBatchSize(pacer);
    const { lists, creations } = batchOf(pacer, inputs, size, creationsInSecondBatch(size), '*/*');
    await sendBatch(pacer, [...creations, ...lists]);
  },
} as const satisfies Probe;

/** The fewest requests of the second batch: two creations and a list. */
const SMALLEST_SECOND_BATCH = 3;

/** Smaller where a creation was sent again, so that the quota can be exhausted in the same window all the same. */
function secondBatchSize(pacer: Pacer): number {
  const { session, limits } = pacer;
  const { perMinute } = limits;
  const size = batchSizeAt(pacer);
  const keyed = ofKey(session.exchanges);
  const sinceBaseline = keyed.length - Math.max(0, keyed.findLastIndex(isBaseline));
  const unreserved = perMinute - tailOf(perMinute) - sinceBaseline;
  if (unreserved < SMALLEST_SECOND_BATCH || unreserved >= size) return size;
  session.note(
    `The second batch has ${unreserved} requests instead of ${size}, because creations were sent again and the rest of the quota is needed for other tests.`,
  );
  return unreserved;
}

/** Four creations in a row, so that a method that is not counted shows. */
export const creations = {
  id: 'creations',
  description:
    'creations with name alone, with a charset and a long text, with the id of another category, and with an unused id',
  steps: {
    nameAlone: 'name alone',
    ...plainerAttempts('name alone'),
    charset: 'content type with a charset',
    ...plainerAttempts('content type with a charset'),
    idOfAnother: 'client-chosen id of another category',
    unassignedId: 'client-chosen id',
  },
  cost: () => ({ withKey: 4, categoriesCreated: 4 }),
  async run(pacer, inputs) {
    await sendValidCreation(pacer, inputs, {
      step: creations.steps.nameAlone,
      what: 'name-alone',
      carries: 'name',
    });
    await sendValidCreation(pacer, inputs, {
      step: creations.steps.charset,
      what: 'charset',
      carries: 'description',
      contentType: 'application/json; charset=utf-8',
    });
    const name = categoryNamer(pacer, inputs);
    const description = plainDescription(pacer);
    const unassigned = clientChosenId(inputs.tag);
    const withId = (id: number, what: string): ProbeRequest =>
      createRequest({ id, name: name(what), description });
    const known = pacer.session.exchanges.map(createdId).find((id) => id !== undefined);
    await pacer.sendWithKeyAndRetry(creations.steps.idOfAnother, withId(known ?? unassigned, 'own-id-1'));
    await pacer.sendWithKeyAndRetry(creations.steps.unassignedId, withId(unassigned, 'own-id-2'));
  },
} as const satisfies Probe;

const oneList = <const Id extends string, const Step extends string>(
  id: Id,
  description: string,
  list: Step,
) =>
  ({
    id,
    description,
    steps: { list },
    cost: () => ({ withKey: 1 }),
    async run(pacer) {
      await pacer.sendWithKeyAndRetry(list, listRequest({ route: 'new' }));
    },
  }) as const satisfies Probe;

/** On another connection: it shows a list that each worker keeps for itself. */
export const listAfterCreations = oneList(
  'list-after-creations',
  'the list, over a new connection, after the creations',
  'list after the creations',
);

/** In a run that does not exhaust the quota; a complete one has the list of `recovery`. */
export const closingList = oneList(
  'closing-list',
  'the list after every creation, where the run does not exhaust the quota',
  'list at the end of the requests with the key',
);

/** A list may lag behind creations for this part of a window: the specification states no time. */
export const LIST_LAG_WINDOWS = 0.9;

/**
 * Replicas and indexes lag behind. Sent only where the last list lacks a category that was created shortly before it.
 */
export const finalList = {
  id: 'final-list',
  description: 'the list once more, where the last one lacks a category that was created shortly before it',
  steps: { list: 'list most of a window after a creation' },
  async run(pacer) {
    const exchanges = ofKey(pacer.session.exchanges);
    const lagMs = LIST_LAG_WINDOWS * pacer.limits.minuteSeconds * 1000;
    const list = exchanges.filter(isList).at(-1);
    const ids = list === undefined ? undefined : idsIn(list);
    if (list === undefined || ids === undefined || pacer.isKeyStopped) return;
    const unlisted = exchanges.findLast(
      (one) =>
        isCreation(one) &&
        list.sent.mono - one.received.mono < lagMs &&
        idsIn(one)?.some((id) => !ids.includes(id)) === true,
    );
    if (unlisted === undefined) return;
    const because = 'the last list lacks a category, and lists may lag behind';
    await pacer.session.waitUntil(unlisted.received.mono + lagMs, because);
    await pacer.sendWithKeyAndRetry(finalList.steps.list, listRequest({ route: 'new' }));
  },
} as const satisfies Probe;

const isList = (exchange: Exchange): boolean =>
  exchange.request.method === 'GET' && isDocumentedOperation(exchange) && statusOf(exchange) === 200;

const isCreation = (exchange: Exchange): boolean =>
  exchange.request.method === 'POST' && isDocumentedOperation(exchange) && statusOf(exchange) === 201;

/** The ids of a category or a list as they stand in its text, so that no digit is lost; undefined where it cannot be read. */
function idsIn(exchange: Exchange): readonly string[] | undefined {
  const text = completeText(exchange);
  return text === undefined
    ? undefined
    : [...text.matchAll(/"id"\s*:\s*(-?[0-9.eE+-]{1,40})/g)].map(([, id = '']) => id);
}
