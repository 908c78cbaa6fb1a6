import { wholeText } from '../../exchanges/body.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf, statusOf } from '../../exchanges/headers.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { createRequest, listRequest } from './category-requests.ts';
import { namer, ownIds } from './names.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';
import { createValid, PLAIN_DESCRIPTION } from './valid-creation.ts';

/** Requests sent at the same time in one batch; a limit of a few requests gets smaller ones. */
const BATCH = 6;

/** The size of a batch under this limit. */
export const batchSize = (perMinute: number): number =>
  Math.max(2, Math.min(BATCH, Math.floor((perMinute - 1) / 2)));

/** The steps that ask for creations, in their order. */
export const CREATION_STEPS = {
  full: 'name and description',
  alone: 'name alone',
  charset: 'with a charset',
  inexactId: 'id of our own',
  exactId: 'id of our own that every double holds',
} as const;

/** The first creation: the accounting starts with a request that surely counts. */
export const firstCreation: Probe = {
  id: 'first-creation',
  asks: 'one creation with name and description',
  cost: () => ({ ...nothing, keyed: 1, leaves: 1 }),
  async run(pacer, inputs) {
    const description = 'made by a conformance run';
    await createValid(pacer, inputs, { step: CREATION_STEPS.full, what: 'full-1', description });
  },
};

/** The step of requests that are sent at the same time. */
export const AT_ONCE = 'at the same time';

/** Lists asked at the same time over new connections: lost updates and counters kept for each worker show here. */
const batch = (id: string, asks: string, more: Partial<ProbeRequest> = {}): Probe => ({
  id,
  asks,
  cost: ({ limits }) => ({ ...nothing, keyed: batchSize(limits.perMinute) }),
  async run(pacer) {
    const size = batchSize(pacer.limits.perMinute);
    await pacer.sendBatchWithKey(
      AT_ONCE,
      Array.from({ length: size }, () => listRequest({ route: 'new', ...more })),
    );
  },
});

export const firstBatch = batch('first-batch', 'lists asked at the same time over new connections');
/** Any type is accepted here: bodies are JSON all the same, not only where the client insists on it. */
export const secondBatch = batch('second-batch', 'the same again, when less of the limit is left', {
  accept: '*/*',
});

/** Characters that databases, templates and readers of JSON are known to spoil, in no more than a line. */
const TEXT = `Tom's "cat" & 100 % + C:\\new, Ünïcode 猫 🐈 aB, and more than fifty characters`;

/** Four creations in a row, so that a method that is not counted shows. */
export const creations: Probe = {
  id: 'creations',
  asks: 'creations with name alone, with a charset and special characters, and with two ids of our own',
  cost: () => ({ ...nothing, keyed: 4, leaves: 4 }),
  async run(pacer, inputs) {
    await createValid(pacer, inputs, { step: CREATION_STEPS.alone, what: 'name-alone' });
    const contentType = 'application/json; charset=utf-8';
    await createValid(pacer, inputs, {
      step: CREATION_STEPS.charset,
      what: 'charset',
      description: TEXT,
      contentType,
    });
    const name = namer(pacer, inputs);
    const { exact, inexact } = ownIds(inputs.tag);
    // As text: a JavaScript number would round the one before it is sent.
    const withId = (id: string, what: string): string =>
      `{"id":${id},"name":${JSON.stringify(name(what))},"description":"${PLAIN_DESCRIPTION}"}`;
    await pacer.sendWithKeyAndRetry(CREATION_STEPS.inexactId, createRequest(withId(inexact, 'own-id-1')));
    await pacer.sendWithKeyAndRetry(CREATION_STEPS.exactId, createRequest(withId(exact, 'own-id-2')));
  },
};

/** The list after creations, on a connection that did not create: a list kept for each worker shows here. */
export const listAfterCreations: Probe = {
  id: 'list-after-creations',
  asks: 'the list, over a new connection, after the creations',
  cost: () => ({ ...nothing, keyed: 1 }),
  async run(pacer) {
    await pacer.sendWithKeyAndRetry('after creations', listRequest({ route: 'new' }));
  },
};

/** Until so much of a window has passed, a list may lag behind: the specification promises no instant. */
export const LAG = 0.9;

/** Only where a creation stands in no list and the last one came soon after it: replicas and indexes lag behind. */
export const finalList: Probe = {
  id: 'final-list',
  asks: 'the list once more, where a creation stands in none yet',
  cost: () => nothing,
  async run(pacer) {
    const { exchanges } = pacer.session;
    const lagMs = LAG * pacer.limits.minuteSeconds * 1000;
    const listed = exchanges.filter(isList);
    const lastAsked = listed.at(-1)?.sent.mono ?? Number.POSITIVE_INFINITY;
    const creation = exchanges.findLast(
      (one) =>
        isCreation(one) && !listed.some((list) => shows(list, one)) && lastAsked - one.received.mono < lagMs,
    );
    if (creation === undefined || pacer.isKeyStopped) return;
    const left = (creation.received.mono + lagMs - pacer.session.now().mono) / 1000;
    if (left > 0)
      await pacer.session.rest(left, 'a creation stands in no list yet, and lists may lag behind');
    await pacer.sendWithKeyAndRetry('a window after a creation', listRequest({ route: 'new' }));
  },
};

const isList = (exchange: Exchange): boolean =>
  exchange.request.method === 'GET' &&
  exchange.request.target.endsWith('/categories') &&
  statusOf(exchange) === 200;

const isCreation = (exchange: Exchange): boolean =>
  (exchange.probe === firstCreation.id || exchange.probe === creations.id) && statusOf(exchange) === 201;

/** By the bytes: the names of a run are ASCII without quotes and backslashes, and no other run has them. */
function shows(list: Exchange, creation: Exchange): boolean {
  const name = /"name":("[^"]*")/.exec(creation.request.body?.text ?? '')?.[1];
  const answer = answerOf(list);
  const text = answer === undefined ? undefined : wholeText(answer);
  return name !== undefined && text?.includes(name) === true;
}
