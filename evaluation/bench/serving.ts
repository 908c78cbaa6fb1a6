import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { nearestMedian } from '../../load/model/latency.ts';
import { endChild, startChild } from './child.ts';
import type { Loaded } from './load-child.ts';
import type { BenchRow } from './row.ts';
import { atLeast, rounded } from './row.ts';
import type { Served, ServerKind } from './serve-child.ts';

/** Every round measures each server once, one after the other, so that a slow moment affects all of them. */
const ROUNDS = 9;

/** The first rounds are a warm-up: V8 compiles the code of a request for good after some 50,000 of them. */
const WARM_UP = 10;

/**
 * Requests per second of a processor of the reference server, a bare server, one that sends the same headers, and the
 * same interface on a well-known limiter. The generator shares the machine and is slower than a bare server, so
 * requests per second of a clock would measure the generator.
 */
export async function measureServing(): Promise<readonly BenchRow[]> {
  const kinds = ['reference', 'bare', 'headers', 'fastify'] as const satisfies readonly ServerKind[];
  const generator = await startChild<'ready'>('./load-child.ts', {});
  const servers = await Promise.all(
    kinds.map(async (kind) => ({ kind, ...(await startChild<Served>('./serve-child.ts', { KIND: kind })) })),
  );
  const rates: Record<ServerKind, number[]> = { reference: [], bare: [], headers: [], fastify: [] };
  const generated: number[] = [];
  try {
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      for (const { kind, first, child } of servers) {
        const before = await reply<number>(child, 'how long?');
        const { requests, seconds } = await reply<Loaded>(generator.child, first);
        const used = (await reply<number>(child, 'how long?')) - before;
        if (round < WARM_UP) continue;
        rates[kind].push(requests / used);
        if (kind === 'bare') generated.push(requests / seconds);
      }
    }
  } finally {
    await Promise.all([generator, ...servers].map(({ child }) => endChild(child)));
  }
  const [reference, bare, headers, fastify] = kinds.map((kind) => nearestMedian(rates[kind])) as [
    number,
    number,
    number,
    number,
  ];
  const row = (other: string, rate: number, least: number, more = ''): BenchRow => ({
    name: `reference server: requests per CPU second / ${other}`,
    ratio: reference / rate,
    aim: atLeast(least),
    absolute: `${Math.round(reference)}, ${Math.round(rate)}${more}`,
  });
  const floor = `with the headers of the service and nothing else ${rounded(headers / bare)}`;
  return [
    row(
      'bare node:http',
      bare,
      0.8,
      `; ${floor}; the generator itself ${Math.round(nearestMedian(generated))}`,
    ),
    row('node:http with the headers of the service and nothing else', headers, 0.8),
    row('the same interface on @fastify/rate-limit', fastify, 1.1),
  ];
}

/** Sends a message to a child and returns its reply. */
async function reply<T>(child: ChildProcess, message: Served | string): Promise<T> {
  const received = once(child, 'message') as Promise<[T]>;
  child.send(message);
  const [value] = await received;
  return value;
}
