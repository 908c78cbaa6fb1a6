import { completeText } from '../../exchanges/body.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf, statusOf } from '../../exchanges/headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { categoryNamer, clientChosenIds } from './category-names.ts';
import { createRequest, listRequest } from './category-requests.ts';
import type { Probe } from './probe.ts';
import { noRequests } from './probe.ts';
import { PLAIN_DESCRIPTION, plainerAttempts, sendValidCreation } from './valid-creation.ts';

/** Requests sent at the same time in one batch; fewer where the limit is a few requests. */
const BATCH = 6;

const batchSize = (perMinute: number): number =>
  Math.max(2, Math.min(BATCH, Math.floor((perMinute - 1) / 2)));

/** The same, and no more than the target accepts at once where that is less. */
const batchSizeAt = ({ limits, mostAtOnce = BATCH }: Pacer): number =>
  Math.min(batchSize(limits.perMinute), mostAtOnce);

const firstCreationSteps = {
  nameAndDescription: 'name and description',
  ...plainerAttempts('name and description'),
} as const;

/** The first creation. The count of the quota starts with a request that surely counts. */
export const firstCreation: Probe<typeof firstCreationSteps> = {
  id: 'first-creation',
  description: 'one creation with name and description',
  steps: firstCreationSteps,
  cost: () => ({ ...noRequests, withKey: 1, categoriesCreated: 1 }),
  async run(pacer, inputs) {
    const description = 'made by a conformance run';
    const step = firstCreationSteps.nameAndDescription;
    await sendValidCreation(pacer, inputs, { step, what: 'full-1', description });
  },
};

const batchSteps = { parallel: 'in parallel' } as const;

/** Lists requested at the same time over new connections: they show lost updates and counters of separate workers. */
const batch = (
  id: string,
  description: string,
  more: Partial<ProbeRequest> = {},
): Probe<typeof batchSteps> => ({
  id,
  description,
  steps: batchSteps,
  cost: ({ limits }) => ({ ...noRequests, withKey: batchSize(limits.perMinute) }),
  async run(pacer) {
    const size = batchSizeAt(pacer);
    await pacer.sendBatchWithKey(
      batchSteps.parallel,
      Array.from({ length: size }, () => listRequest({ route: 'new', ...more })),
    );
  },
});

/** The first batch of parallel lists. */
export const firstBatch = batch('first-batch', 'parallel lists over new connections');
/** The second batch. It accepts any type: bodies have to be JSON even where the client does not insist on it. */
export const secondBatch = batch('second-batch', 'parallel lists again, later in the window', {
  accept: '*/*',
});

/** Characters that databases, templates and JSON readers are known to damage, on one line. */
const SPECIAL_CHARACTERS = `Tom's "cat" & 100 % + C:\\new, Ünïcode 猫 🐈 aB, and more than fifty characters`;

const creationSteps = {
  nameAlone: 'name alone',
  ...plainerAttempts('name alone'),
  charset: 'content type with a charset',
  ...plainerAttempts('content type with a charset'),
  inexactId: 'client-chosen id that no double holds',
  exactId: 'client-chosen id',
} as const;

/** Four creations in a row, so that a method that is not counted shows. */
export const creations: Probe<typeof creationSteps> = {
  id: 'creations',
  description:
    'creations with name alone, with a charset and special characters, and with two client-chosen ids',
  steps: creationSteps,
  cost: () => ({ ...noRequests, withKey: 4, categoriesCreated: 4 }),
  async run(pacer, inputs) {
    await sendValidCreation(pacer, inputs, { step: creationSteps.nameAlone, what: 'name-alone' });
    await sendValidCreation(pacer, inputs, {
      step: creationSteps.charset,
      what: 'charset',
      description: SPECIAL_CHARACTERS,
      contentType: 'application/json; charset=utf-8',
    });
    const name = categoryNamer(pacer, inputs);
    const { exact, inexact } = clientChosenIds(inputs.tag);
    // As text: a JavaScript number would round the inexact id before it is sent.
    const withId = (id: string, what: string): ProbeRequest =>
      createRequest(`{"id":${id},"name":${JSON.stringify(name(what))},"description":"${PLAIN_DESCRIPTION}"}`);
    await pacer.sendWithKeyAndRetry(creationSteps.inexactId, withId(inexact, 'own-id-1'));
    await pacer.sendWithKeyAndRetry(creationSteps.exactId, withId(exact, 'own-id-2'));
  },
};

const listAfterCreationsSteps = { list: 'list after the creations' } as const;

/** The list after the creations, on another connection: it shows a list that each worker keeps for itself. */
export const listAfterCreations: Probe<typeof listAfterCreationsSteps> = {
  id: 'list-after-creations',
  description: 'the list, over a new connection, after the creations',
  steps: listAfterCreationsSteps,
  cost: () => ({ ...noRequests, withKey: 1 }),
  async run(pacer) {
    await pacer.sendWithKeyAndRetry(listAfterCreationsSteps.list, listRequest({ route: 'new' }));
  },
};

/** A list may lag behind creations for this part of a window: the specification states no time. */
export const LIST_LAG_WINDOWS = 0.9;

const finalListSteps = { list: 'list most of a window after a creation' } as const;

/** Replicas and indexes lag behind. Sent only where no list shows a creation and the last list came soon after it. */
export const finalList: Probe<typeof finalListSteps> = {
  id: 'final-list',
  description: 'the list once more, where no list shows a creation yet',
  steps: finalListSteps,
  cost: () => noRequests,
  async run(pacer) {
    const { exchanges } = pacer.session;
    const lagMs = LIST_LAG_WINDOWS * pacer.limits.minuteSeconds * 1000;
    const lists = exchanges.filter(isList);
    const lastListAt = lists.at(-1)?.sent.mono ?? Number.POSITIVE_INFINITY;
    const unlisted = exchanges.findLast(
      (one) =>
        isCreation(one) &&
        !lists.some((list) => showsCreation(list, one)) &&
        lastListAt - one.received.mono < lagMs,
    );
    if (unlisted === undefined || pacer.isKeyStopped) return;
    const seconds = (unlisted.received.mono + lagMs - pacer.session.now().mono) / 1000;
    if (seconds > 0) {
      await pacer.session.wait(seconds, 'no list shows a creation yet, and lists may lag behind');
    }
    await pacer.sendWithKeyAndRetry(finalListSteps.list, listRequest({ route: 'new' }));
  },
};

const isList = (exchange: Exchange): boolean =>
  exchange.request.method === 'GET' &&
  exchange.request.target.endsWith('/categories') &&
  statusOf(exchange) === 200;

const isCreation = (exchange: Exchange): boolean =>
  (exchange.probe === firstCreation.id || exchange.probe === creations.id) && statusOf(exchange) === 201;

/** Compares bytes: the names of a run are ASCII without quotes and backslashes, and no other run has them. */
function showsCreation(list: Exchange, creation: Exchange): boolean {
  const name = /"name":("[^"]*")/.exec(creation.request.body?.text ?? '')?.[1];
  const answer = answerOf(list);
  const text = answer === undefined ? undefined : completeText(answer);
  return name !== undefined && text?.includes(name) === true;
}
