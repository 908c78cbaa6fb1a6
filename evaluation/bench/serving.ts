import autocannon from 'autocannon';
import { nearestMedian } from '../../load/model/latency.ts';
import { endChild, replyTo, startChild } from './child.ts';
import type { BenchRow } from './row.ts';
import { atLeast, rounded, rowOf } from './row.ts';
import type { Served, ServerKind } from './serve-child.ts';

/** Every round measures each server once, one after the other, so that a slow moment affects all of them. */
const ROUNDS = 9;

/** The first rounds are a warm-up: V8 compiles the code of a request for good after some 50,000 of them. */
const WARM_UP = 10;

const REQUESTS = 5000;

/** Loads a server with a list of each request. Two connections keep it busy while a response travels. */
async function load({ url, key }: Served): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const { non2xx, errors } = await autocannon({ url, headers, connections: 2, amount: REQUESTS });
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx + errors} requests failed.`);
}

/**
 * Requests per second of a processor of the reference server, a bare server, one that sends the same headers, and the
 * same interface on a well-known limiter. The generator shares the machine and is slower than a bare server, so
 * requests per second of a clock would measure the generator.
 */
export async function measureServing(): Promise<readonly BenchRow[]> {
  const kinds = ['reference', 'bare', 'headers', 'fastify'] as const satisfies readonly ServerKind[];
  const servers = await Promise.all(
    kinds.map(async (kind) => ({
      ...(await startChild<Served>('./serve-child.ts', { KIND: kind })),
      rates: [] as number[],
    })),
  );
  try {
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      for (const { first, child, rates } of servers) {
        const before = await replyTo<number>(child, 'how long?');
        await load(first);
        const used = (await replyTo<number>(child, 'how long?')) - before;
        if (round >= WARM_UP) rates.push(REQUESTS / used);
      }
    }
  } finally {
    await Promise.all(servers.map(({ child }) => endChild(child)));
  }
  const [reference = 0, bare = 0, headers = 0, fastify = 0] = servers.map(({ rates }) =>
    nearestMedian(rates),
  );
  const row = (other: string, rate: number, least: number): BenchRow =>
    rowOf(`reference server: requests per CPU second / ${other}`, [reference, rate], atLeast(least), (one) =>
      String(Math.round(one)),
    );
  return [
    row(`bare node:http (${rounded(headers / bare)} with the headers alone)`, bare, 0.8),
    row('node:http with the headers of the service and nothing else', headers, 0.8),
    row('the same interface on @fastify/rate-limit', fastify, 1.1),
  ];
}
