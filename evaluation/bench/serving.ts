import { endChild, runChild, startChild } from './child.ts';
import type { Loaded } from './load-child.ts';
import type { BenchRow } from './row.ts';
import { median } from './row.ts';
import type { Served, ServerKind } from './serve-child.ts';

/** Every round measures each server once, one after the other, so that a slow moment affects all of them. */
const ROUNDS = 5;

/** Requests per second of the reference server, a bare server and the same interface on a well-known limiter. */
export async function measureServing(): Promise<readonly BenchRow[]> {
  const kinds = ['reference', 'bare', 'fastify'] as const satisfies readonly ServerKind[];
  const servers = await Promise.all(
    kinds.map(async (kind) => ({ kind, ...(await startChild<Served>('./serve-child.ts', { KIND: kind })) })),
  );
  const rates: Record<ServerKind, number[]> = { reference: [], bare: [], fastify: [] };
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const { kind, first } of servers) {
        const { perSecond } = await runChild<Loaded>('./load-child.ts', {
          URL_TO_LOAD: first.url,
          KEY: first.key,
        });
        // The first round is a warm-up.
        if (round > 0) rates[kind].push(perSecond);
      }
    }
  } finally {
    await Promise.all(servers.map(({ child }) => endChild(child)));
  }
  const [reference, bare, fastify] = kinds.map((kind) => median(rates[kind])) as [number, number, number];
  return [
    {
      name: 'reference server: requests per second / bare node:http',
      ratio: reference / bare,
      aim: { is: 'at least', value: 0.7 },
      absolute: `${Math.round(reference)}/s, ${Math.round(bare)}/s`,
    },
    {
      name: 'reference server: requests per second / @fastify/rate-limit',
      ratio: reference / fastify,
      aim: { is: 'at least', value: 1.2 },
      absolute: `${Math.round(reference)}/s, ${Math.round(fastify)}/s`,
    },
  ];
}
