import { singleQuoted } from '../../../kernel/basics/text.ts';
import { groupedBy, thinned } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import {
  announcedWaitSeconds,
  rateHeadersOf,
  resetOnOwnClock,
} from '../../../kernel/exchanges/rate-headers.ts';
import type { Timeline, TimelineEntry } from '../../../kernel/findings/record.ts';
import { paceSeconds } from '../../../kernel/rate-limits/quota.ts';
import { rounded } from '../evidence/run-remarks.ts';
import type { RunLine } from '../model/journal.ts';
import { spendsDay } from '../probes/spend-day.ts';

/** The environment variable that stands for a redacted key in a command. */
function variable(name: string): string {
  if (name === 'key') return 'PETSTORE_API_KEY';
  return `PETSTORE_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

/** What every request says unless its test needs another value, which curl says by itself in its own way. */
const USUAL_HEADERS: ReadonlySet<string> = new Set([
  'Accept: application/json',
  'Accept-Encoding: identity',
  'User-Agent: petstore-conformance',
]);

/** Keys are environment variables; everything else is in single quotes, so that no word of a journal is run. */
export const repeatCommand = (run: RunLine, exchanges: readonly Exchange[]): string =>
  exchanges.map((exchange) => repeated(run, exchange)).join('\n');

function repeated(run: RunLine, exchange: Exchange): string {
  const once = curl(run, exchange);
  const { limits } = run;
  if (spendsDay(exchange)) {
    const pause = Math.ceil(1000 * paceSeconds(limits)) / 1000;
    return `for i in $(seq ${limits.perDay + 1}); do ${once}; sleep ${pause}; done`;
  }
  if (exchange.caller !== 'key' || !(exchange.probe === 'exhaust-quota' || isRateLimited(exchange)))
    return once;
  if (exchange.request.method === 'GET') return `for i in $(seq ${limits.perMinute + 1}); do ${once}; done`;
  // No operation deletes a category, so lists exhaust the quota.
  const list = curl(run, asList(run, exchange));
  return `for i in $(seq ${limits.perMinute}); do ${list}; done; ${once}`;
}

function asList(run: RunLine, exchange: Exchange): Exchange {
  const { request } = exchange;
  const headers = request.headers.filter(([name]) => !/^content-/i.test(name));
  const target = `${new URL(run.target.baseUrl).pathname}/categories`;
  return { ...exchange, request: { ...request, method: 'GET', target, headers, body: null } };
}

function curl(run: RunLine, exchange: Exchange): string {
  const { method, target, headers, body } = exchange.request;
  const words = ['curl --include --silent --show-error'];
  if (method !== 'GET') words.push('--request', method);
  for (const [name, value] of headers) {
    const line = `${name}: ${value}`;
    if (!USUAL_HEADERS.has(line)) words.push('--header', withKeys(line));
  }
  if (body !== null) words.push('--data-binary', singleQuoted(body.text.slice(0, LONGEST_BODY)));
  words.push(withKeys(`${new URL(run.target.baseUrl).origin}${target}`));
  return words.join(' ');
}

const LONGEST_BODY = 2000;

/** Single quotes around everything but the keys, which the shell fills in. */
function withKeys(text: string): string {
  return text
    .split(/(\[[a-zA-Z0-9 -]+\])/)
    .filter((part) => part !== '')
    .map((part) => {
      const key = /^\[(.+)\]$/.exec(part)?.[1];
      return key === undefined || !isKeyName(key) ? singleQuoted(part) : `"$${variable(key)}"`;
    })
    .join('');
}

const isKeyName = (name: string): boolean => /\bkey\b/.test(name) || name.startsWith('value of ');

/** Exchanges of a record; a report with more would be slow to open and show nothing more. */
const MOST_ENTRIES = 3000;

/** A wait or a Reset beyond this is no figure for a picture, in milliseconds: a hundred days. */
const FURTHEST_MS = 100 * 86_400_000;

/** Of a long run accepted ones are left out, evenly, and then others. @param start milliseconds on the monotonic clock. */
export function timelineOf(exchanges: readonly Exchange[], start: number): Timeline {
  const sorted = [...exchanges].sort((a, b) => a.sent.mono - b.sent.mono || a.n - b.n);
  const kept = sorted.length <= MOST_ENTRIES ? sorted : selected(sorted);
  return {
    entries: kept.map((exchange) => entryOf(exchange, start)),
    omitted: sorted.length - kept.length,
  };
}

function selected(sorted: readonly Exchange[]): readonly Exchange[] {
  const byAcceptance = groupedBy(sorted, accepted);
  const others = thinned(byAcceptance.get(false) ?? [], MOST_ENTRIES / 2);
  const taken = thinned(byAcceptance.get(true) ?? [], MOST_ENTRIES - others.length);
  const kept = new Set([...others, ...taken]);
  return sorted.filter((exchange) => kept.has(exchange));
}

function entryOf(exchange: Exchange, start: number): TimelineEntry {
  const { n, caller, sent, received } = exchange;
  const status = statusOf(exchange);
  const { remaining } = rateHeadersOf(exchange);
  const at = sent.mono - start;
  const reset = resetOnOwnClock(exchange, received.wall);
  const sinceStart = reset === undefined ? undefined : reset - sent.wall + at;
  const wait = status === 429 ? announcedWaitSeconds(exchange) : undefined;
  return {
    n,
    caller,
    at: rounded(at),
    milliseconds: rounded(received.mono - sent.mono),
    status: status ?? null,
    ...(remaining === undefined ? {} : { remaining }),
    ...(sinceStart === undefined || Math.abs(sinceStart) > FURTHEST_MS ? {} : { reset: rounded(sinceStart) }),
    ...(wait === undefined || wait < 0 || wait * 1000 > FURTHEST_MS ? {} : { wait: rounded(wait * 1000) }),
  };
}
