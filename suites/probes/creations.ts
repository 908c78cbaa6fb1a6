import { wholeText } from '../model/body.ts';
import type { Exchange } from '../model/exchange.ts';
import { answerOf, statusOf } from '../model/headers.ts';
import type { Question } from '../wire/session.ts';
import { create, list, namer } from './bodies.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

/** Requests sent at the same time in one batch; a limit of a few requests gets smaller ones. */
const BATCH = 6;

/** The size of a batch under this limit. */
export const batchSize = (perMinute: number): number =>
  Math.max(2, Math.min(BATCH, Math.floor((perMinute - 1) / 2)));

/** The first creation: the accounting starts with a request that surely counts. */
export const firstCreation: Probe = {
  id: 'first-creation',
  asks: 'one creation with name and description',
  cost: () => ({ ...nothing, keyed: 1, leaves: 1 }),
  async run(pacer, means) {
    const name = namer(means.tag);
    await pacer.answered(
      'name and description',
      create({ name: name('full'), description: 'made by a conformance run' }),
    );
  },
};

/** The step of requests that are sent at the same time. */
export const AT_ONCE = 'at the same time';

/** Lists asked at the same time over new connections: lost updates and counters kept for each worker show here. */
const batch = (id: string, asks: string, more: Partial<Question> = {}): Probe => ({
  id,
  asks,
  cost: ({ limits }) => ({ ...nothing, keyed: batchSize(limits.perMinute) }),
  async run(pacer) {
    const size = batchSize(pacer.limits.perMinute);
    await pacer.batch(
      AT_ONCE,
      Array.from({ length: size }, () => list({ route: 'new', ...more })),
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
  asks: 'creations with name alone, with a charset, with an id of our own, and a repeated one',
  cost: () => ({ ...nothing, keyed: 4, leaves: 4 }),
  async run(pacer, means) {
    const name = namer(means.tag);
    await pacer.answered('name alone', create({ name: name('name-alone') }));
    const charset = { contentType: 'application/json; charset=utf-8' };
    await pacer.answered('with a charset', create({ name: name('charset'), description: 'é' }, charset));
    const ownId = `{"id":9007199254740993,"name":"${name('own-id')}","description":${JSON.stringify(TEXT)}}`;
    await pacer.answered('id of our own', create(ownId));
    await pacer.answered(
      'name and description, again',
      create({ name: name('full-2'), description: 'second of its kind' }),
    );
  },
};

/** The list after creations, on a connection that did not create: a list kept for each worker shows here. */
export const listAfterCreations: Probe = {
  id: 'list-after-creations',
  asks: 'the list, over a new connection, after the creations',
  cost: () => ({ ...nothing, keyed: 1 }),
  async run(pacer) {
    await pacer.answered('after creations', list({ route: 'new' }));
  },
};

/** Until so much of a window has passed, a list may lag behind: the specification promises no instant. */
export const LAG = 0.9;

/** Only where a creation stands in no list and the last one came soon after it: replicas and indexes lag behind. */
export const lastLook: Probe = {
  id: 'last-look',
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
    if (creation === undefined || pacer.givenUp !== undefined) return;
    const left = (creation.received.mono + lagMs - pacer.session.now().mono) / 1000;
    if (left > 0)
      await pacer.session.rest(left, 'a creation stands in no list yet, and lists may lag behind');
    await pacer.answered('a window after a creation', list({ route: 'new' }));
  },
};

const isList = (exchange: Exchange): boolean =>
  exchange.request.method === 'GET' &&
  exchange.request.target.endsWith('/categories') &&
  statusOf(exchange) === 200;

const isCreation = (exchange: Exchange): boolean =>
  (exchange.probe === firstCreation.id || exchange.probe === creations.id) && statusOf(exchange) === 201;

/** By the bytes: the names of a run need no escape, and no other run has them. */
function shows(list: Exchange, creation: Exchange): boolean {
  const name = /"name":("[^"]*")/.exec(creation.request.body?.text ?? '')?.[1];
  const answer = answerOf(list);
  const text = answer === undefined ? undefined : wholeText(answer);
  return name !== undefined && text?.includes(name) === true;
}
