import type { HeaderLine } from '../../exchanges/exchange.ts';
import { statusOf } from '../../exchanges/headers.ts';
import { ofKey } from '../../rate-limits/series/keyed-requests.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import { create, list } from './bodies.ts';
import { namer } from './names.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';
import { NAMED_OPERATIONS } from './unauthenticated.ts';

/** How a body that the specification leaves open is made. */
interface OpenBody {
  readonly step: string;
  /** What its name says; short, because a target may bound the length of names. */
  readonly what: string;
  readonly body: (name: string) => string | Uint8Array;
  readonly contentType?: string;
}

/** Longer than a usual column; no longer, because it stays in every later list of the target and nothing deletes it. */
const LONG_NAME = 1000;

/** A large body, by white space that leaves nothing behind. */
const LARGE_BODY = 64 * 1024;

const openBodies: readonly OpenBody[] = [
  {
    step: 'null description',
    what: 'null-desc',
    body: (name) => JSON.stringify({ name, description: null }),
  },
  { step: 'empty name', what: 'empty', body: () => '{"name":""}' },
  { step: 'blank name', what: 'blank', body: () => '{"name":"   "}' },
  { step: 'unknown field', what: 'unknown', body: (name) => JSON.stringify({ name, colour: 'black' }) },
  {
    step: 'duplicate JSON keys',
    what: 'twice',
    body: (name) => `{"name":"${name}a","name":"${name}b"}`,
  },
  {
    step: 'text/plain',
    what: 'text',
    body: (name) => JSON.stringify({ name }),
    contentType: 'text/plain',
  },
  { step: 'byte order mark', what: 'bom', body: (name) => `\uFEFF${JSON.stringify({ name })}` },
  {
    step: 'control characters',
    what: 'control',
    body: (name) => JSON.stringify({ name: `${name}\u0000\u001b` }),
  },
  {
    step: 'very long name in a very large body',
    what: 'long',
    body: (name) => JSON.stringify({ name: name.padEnd(LONG_NAME, 'x') }).padEnd(LARGE_BODY),
  },
];

/** Open creations that keep their name as it is sent, where the target accepts them. */
const NAMED_AS_SENT: ReadonlySet<string> = new Set(['null description', 'unknown field', 'text/plain']);

/** What the specification leaves open about creations: asked, recorded, never judged. */
export const openCreations: Probe = {
  id: 'open-creations',
  asks: 'creations that the specification leaves open',
  cost: () => ({ ...nothing, keyed: openBodies.length + 1, leaves: openBodies.length + 1 }),
  async run(pacer, inputs) {
    const name = namer(pacer, inputs);
    let existing: string | undefined;
    for (const { step, what, body, contentType } of openBodies) {
      const request = create(body(name(what)), contentType === undefined ? {} : { contentType });
      const exchange = await pacer.answered(step, request);
      const made = exchange !== undefined && statusOf(exchange) === 201;
      if (made && NAMED_AS_SENT.has(step)) existing = name(what);
    }
    // A text of digits: whoever writes it as a number breaks the type of the field, whatever becomes of the name.
    const step = existing === undefined ? 'name that was rejected before' : 'name that exists already';
    await pacer.answered(step, create({ name: existing ?? name('unknown'), description: '007' }));
  },
};

/** The operations that are named only: with a key they show headers, deprecation and whether one limit covers them. */
export const otherOperations: Probe = {
  id: 'other-operations',
  asks: 'the operations that the specification only names, with the key',
  cost: () => ({ ...nothing, keyed: NAMED_OPERATIONS.length }),
  async run(pacer) {
    for (const path of NAMED_OPERATIONS) await pacer.answered('with the key', list({ path }));
  },
};

/** What proxies tell the address of a client by, and limiters read: the common names, and RFC 7239's. */
const claims = (address: string): readonly HeaderLine[] => [
  ['X-Forwarded-For', address],
  ['X-Real-IP', address],
  ['X-Client-IP', address],
  ['Forwarded', `for=${address}`],
];

/** Who the limit follows: the same key from seemingly other addresses, each over a connection of its own. */
export const identities: Probe = {
  id: 'identities',
  asks: 'the key under other claimed addresses and over new connections',
  cost: () => ({ ...nothing, keyed: 2 }),
  async run(pacer) {
    for (const address of ['203.0.113.7', '198.51.100.23']) {
      await pacer.answered('another claimed address', list({ headers: claims(address), route: 'new' }));
    }
  },
};

/** Presentations of a valid key that the specification leaves open. */
export const presentations: Probe = {
  id: 'presentations',
  asks: 'the key in presentations that the specification leaves open',
  cost: () => ({ ...nothing, keyed: 2 }),
  async run(pacer) {
    for (const kind of ['lower-case scheme', 'extra spaces'] as const) {
      await pacer.answered(kind, list({ credential: { kind } }));
    }
  },
};

/** Asked when the limit has been examined: whether it counts, and for whom, nobody can say beforehand. */
export const repeatedAuthorization: Probe = {
  id: 'repeated-authorization',
  asks: 'two Authorization headers, the first with the key',
  cost: () => ({ ...nothing, unauthenticated: 1 }),
  async run(pacer) {
    const last = ofKey(pacer.session.exchanges).at(-1);
    const left = last === undefined ? undefined : readingOf(last)?.remaining;
    if (pacer.isRateLimited || pacer.givenUp !== undefined || left === 0) {
      pacer.session.note('Nothing of the limit was left for it.');
      return;
    }
    await pacer.urgent('valid, then unknown', list({ credential: { kind: 'valid, then unknown' } }));
  },
};
