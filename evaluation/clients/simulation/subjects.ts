import type { JudgedClientId } from '../../../suites/client/judging/evidence.ts';
import { pick } from '../../testing/suites/limiters.ts';
import type { Exponential, Jitter, SimulatedClient, WaitRule } from './simulated-client.ts';
import { busy, exponential, JITTERS, linear, overloaded, slower } from './simulated-client.ts';

/** A kind of client, of which each draw is one client. */
export interface Subject {
  readonly name: string;
  /** What it violates in every draw, under every reading; none for a client that conforms. */
  readonly violates: readonly JudgedClientId[];
  draw(random: () => number): SimulatedClient;
}

const KINDS_OF_JITTER = Object.keys(JITTERS) as readonly Jitter[];
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
  ...[1.5, 2].flatMap((factor) => KINDS_OF_JITTER.map((jitter) => conforming(factor, jitter))),
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

/** What makes a client a faulty one, by the name of the fault. */
type Changes = Readonly<Record<string, (random: () => number) => Partial<SimulatedClient>>>;

const faulty = (violates: readonly JudgedClientId[], changes: Changes): readonly Subject[] =>
  Object.entries(changes).map(([name, change]) => ({
    name,
    violates,
    draw: (random) => ({ ...good(random), ...change(random) }),
  }));

const short = (random: () => number): number => logUniform(100, 900, random);
/** Delays that double from a short one. */
const doubling = (random: () => number, jitter: Jitter) =>
  exponential({ base: short(random), factor: 2, jitter, cap: 32 });
/** Delays of one step, two steps, and so on; of each at least this share is waited. */
const byStep = (step: number, least = 1) => linear(step, step, [1, least]);

/** The clients that some verdict should fail, each with one fault. */
export const faultySubjects: readonly Subject[] = [
  ...faulty(['CLIENT-1', 'CLIENT-3'], {
    'ignores Retry-After': () => ({ rule: 'ignores' }),
    'subtracts jitter from Retry-After': () => ({ rule: 'subtracts jitter' }),
    'waits 2 s at most': (random) => ({ rule: 'at most 2 s', delays: doubling(random, 'none') }),
    'reads seconds alone': (random) => ({ readsDates: false, delays: doubling(random, 'full') }),
  }),
  ...faulty(['CLIENT-2'], {
    'waits Retry-After and nothing else': () => ({ delays: linear(0) }),
    'waits Retry-After and nothing else, and starts programs for each request': (random) => ({
      delays: linear(0),
      noise: slower(logUniform(5, 20, random)),
    }),
    'waits Retry-After and nothing else, on an overloaded machine': () => ({
      delays: linear(0),
      noise: overloaded,
    }),
    'constant delay': (random) => ({ delays: linear(short(random)) }),
    'constant delay, three retries': (random) => ({ delays: linear(short(random)), retries: 3 }),
    'constant delay within ±10 %': (random) => ({ delays: linear(short(random), 0, [0.9, 1.1]) }),
    'constant delay within ±50 %': (random) => ({ delays: linear(short(random), 0, [0.5, 1.5]) }),
    'constant delay, full jitter': (random) => ({ delays: linear(short(random), 0, [0, 1]) }),
    'linear delays': (random) => ({ delays: byStep(short(random)) }),
    'linear delays, on an overloaded machine': (random) => ({
      delays: byStep(short(random)),
      noise: overloaded,
    }),
    'linear delays, full jitter': (random) => ({ delays: byStep(short(random), 0) }),
    'linear delays from an offset': (random) => ({ delays: linear(2 * short(random), short(random)) }),
  }),
  ...faulty(['CLIENT-1', 'CLIENT-2', 'CLIENT-3'], {
    'linear pauses without Retry-After': (random) => ({
      delays: byStep(logUniform(300, 1500, random)),
      rule: 'ignores',
    }),
  }),
];
