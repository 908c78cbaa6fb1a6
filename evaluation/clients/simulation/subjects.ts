import type { JudgedClientId } from '../../../suites/client/judging/evidence.ts';
import { pick } from '../../testing/suites/limiters.ts';
import type { Exponential, Jitter, SimulatedClient, WaitRule } from './simulated-client.ts';
import {
  busy,
  constant,
  exponential,
  jitteredConstant,
  linear,
  linearFrom,
  overloaded,
  slower,
} from './simulated-client.ts';

/** A kind of client, of which each draw is one client. */
export interface Subject {
  readonly name: string;
  /** What it violates in every draw, under every reading; none for a client that conforms. */
  readonly violates: readonly JudgedClientId[];
  draw(random: () => number): SimulatedClient;
}

const JITTERS: readonly Jitter[] = ['none', 'up-to-base', 'equal', 'half-either-way', 'full', 'decorrelated'];
const RULES: readonly WaitRule[] = ['sum', 'longer', 'replaces', 'replaces above 0'];
const CAPS = [2, 4, 8, 32, Number.POSITIVE_INFINITY] as const;

/** A number between two others, such that each power of two is as likely as the next. */
const logUniform = (least: number, most: number, random: () => number): number =>
  least * (most / least) ** random();
/** The retries of one call, from 1 on: most libraries make 2 to 5. */
const anyRetries = (random: () => number): number => 1 + Math.floor(8 * random());

/** Delays that never get longer than this (milliseconds) are below the noise of a busy machine: no backoff in any useful sense. */
const SHORTEST_BACKOFF = 60;

/** The delays of a client that conforms. Decorrelated delays begin with up to three times the base, so a lower cap would keep them from growing at all. */
function growing(factor: number, jitter: Jitter, retries: number, random: () => number): Exponential {
  for (;;) {
    const base = logUniform(5, 3000, random);
    const cap = pick(jitter === 'decorrelated' ? CAPS.filter((one) => one >= 8) : CAPS, random);
    const longest = base * Math.min(cap, factor ** (retries - 1));
    if (longest >= SHORTEST_BACKOFF) return { base, factor, jitter, cap };
  }
}

/** A client that keeps every requirement, or one plausible reading of it: its delays grow exponentially up to a cap. */
const conforming = (factor: number, jitter: Jitter): Subject => ({
  name: `exponential, factor ${factor}, jitter ${jitter}`,
  violates: [],
  draw: (random) => {
    const retries = anyRetries(random);
    return {
      delays: exponential(growing(factor, jitter, Math.min(retries, 6), random)),
      rule: pick(RULES, random),
      retries,
      gate: random() < 0.5,
      readsDates: true,
      // Half of them take some time for each request, or for what they do with a success.
      noise: random() < 0.5 ? busy : slower(logUniform(5, 40, random)),
      afterSuccess: random() < 0.5 ? 0 : logUniform(5, 40, random),
      spacing: 0,
    };
  },
});

/** The same, with a limit of its own: a backoff behind it may not show. */
const limitingItself = (factor: number, jitter: Jitter): Subject => {
  const { draw, ...subject } = conforming(factor, jitter);
  return {
    ...subject,
    name: `${subject.name}, and a limit of its own`,
    draw: (random) => ({
      ...draw(random),
      rule: pick(['sum', 'longer'], random),
      spacing: logUniform(200, 6000, random),
    }),
  };
};

/** The clients that no verdict may fail. */
export const conformingSubjects: readonly Subject[] = [
  ...[1.5, 2].flatMap((factor) => JITTERS.map((jitter) => conforming(factor, jitter))),
  limitingItself(2, 'none'),
  limitingItself(2, 'equal'),
];

/** A client that is like a good one in everything else: it waits, then doubles its delay, shares a gate, and makes six retries. */
const good = (random: () => number): SimulatedClient => ({
  delays: exponential({ base: logUniform(100, 1000, random), factor: 2, jitter: 'none', cap: 32 }),
  rule: 'sum',
  retries: 6,
  gate: true,
  readsDates: true,
  noise: busy,
  afterSuccess: 0,
  spacing: 0,
});

const faulty = (
  name: string,
  violates: readonly JudgedClientId[],
  change: (random: () => number) => Partial<SimulatedClient>,
): Subject => ({ name, violates, draw: (random) => ({ ...good(random), ...change(random) }) });

const short = (random: () => number): number => logUniform(100, 900, random);

/** The clients that some verdict should fail, each with one fault. */
export const faultySubjects: readonly Subject[] = [
  faulty('ignores Retry-After', ['CLIENT-1', 'CLIENT-3'], () => ({ rule: 'ignores' })),
  faulty('subtracts jitter from Retry-After', ['CLIENT-1', 'CLIENT-3'], () => ({ rule: 'subtracts jitter' })),
  faulty('waits 2 s at most', ['CLIENT-1', 'CLIENT-3'], (random) => ({
    rule: 'at most 2 s',
    delays: exponential({ base: short(random), factor: 2, jitter: 'none', cap: 32 }),
  })),
  faulty('reads seconds alone', ['CLIENT-1', 'CLIENT-3'], (random) => ({
    readsDates: false,
    delays: exponential({ base: short(random), factor: 2, jitter: 'full', cap: 32 }),
  })),
  faulty('waits Retry-After and nothing else', ['CLIENT-2'], () => ({ delays: constant(0) })),
  faulty(
    'waits Retry-After and nothing else, and starts programs for each request',
    ['CLIENT-2'],
    (random) => ({
      delays: constant(0),
      noise: slower(logUniform(5, 20, random)),
    }),
  ),
  faulty('waits Retry-After and nothing else, on an overloaded machine', ['CLIENT-2'], () => ({
    delays: constant(0),
    noise: overloaded,
  })),
  faulty('constant delay', ['CLIENT-2'], (random) => ({ delays: constant(short(random)) })),
  faulty('constant delay, three retries', ['CLIENT-2'], (random) => ({
    delays: constant(short(random)),
    retries: 3,
  })),
  faulty('constant delay within ±10 %', ['CLIENT-2'], (random) => ({
    delays: jitteredConstant(short(random), 0.9, 1.1),
  })),
  faulty('constant delay within ±50 %', ['CLIENT-2'], (random) => ({
    delays: jitteredConstant(short(random), 0.5, 1.5),
  })),
  faulty('constant delay, full jitter', ['CLIENT-2'], (random) => ({
    delays: jitteredConstant(short(random), 0, 1),
  })),
  faulty('linear delays', ['CLIENT-2'], (random) => ({ delays: linear(short(random)) })),
  faulty('linear delays, on an overloaded machine', ['CLIENT-2'], (random) => ({
    delays: linear(short(random)),
    noise: overloaded,
  })),
  faulty('linear delays from an offset', ['CLIENT-2'], (random) => ({
    delays: linearFrom(2 * short(random), short(random)),
  })),
  faulty('linear pauses without Retry-After', ['CLIENT-1', 'CLIENT-2', 'CLIENT-3'], (random) => ({
    delays: linear(logUniform(300, 1500, random)),
    rule: 'ignores',
  })),
  faulty('linear delays, full jitter', ['CLIENT-2'], (random) => ({ delays: linear(short(random), 1) })),
];
