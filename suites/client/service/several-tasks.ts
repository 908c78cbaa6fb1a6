import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reply, Script } from '../model/scenario.ts';
import { limitedFor, served } from '../scenarios/index.ts';

type SeveralTasksScript = Extract<Script, { kind: 'one-of-several' }>;

interface Held {
  readonly isOpen: () => boolean;
  readonly give: (reply: Reply) => void;
}

/** A hold is counted in steps of so many milliseconds; of a step that took much longer, because this program stalled, the rest does not count. */
const HOLD_STEP = 50;
/** What stalls may add to a hold: the limit must still be in force when the others are answered. */
const LONGEST_EXTENSION_SECONDS = 1.5;

/** Whoever sends between the 429 and the other answers has learnt of the 429, or belongs to the task that got it. */
function severalTasks(script: SeveralTasksScript): ScriptPlayer {
  const { tasks, gatherSeconds, retryAfterSeconds, holdSeconds } = script;
  const stopped = new AbortController();
  let held: Held[] = [];
  /** When the limit ends, in milliseconds of the monotonic clock; undefined while requests are gathered. */
  let limitedUntil: number | undefined;

  /** Rate-limits the first of the held requests whose client still waits, and serves the others later. */
  async function limitOne(): Promise<void> {
    const [first, ...others] = held.filter(({ isOpen }) => isOpen());
    held = [];
    if (first === undefined || limitedUntil !== undefined) return;
    limitedUntil = performance.now() + 1000 * retryAfterSeconds;
    first.give(limitedFor(retryAfterSeconds));
    // Where the machine gives this program no time, it hardly gave any to the client, which has not read the 429.
    const latest = performance.now() + 1000 * (holdSeconds + LONGEST_EXTENSION_SECONDS);
    for (let left = 1000 * holdSeconds; left > 0 && performance.now() < latest; ) {
      const from = performance.now();
      await waitOr(stopped.signal, Math.min(HOLD_STEP, left));
      if (stopped.signal.aborted) return;
      left -= Math.min(performance.now() - from, 2 * HOLD_STEP);
    }
    for (const { give } of others) give(served);
  }

  return {
    async reply(isOpen) {
      if (limitedUntil !== undefined) return afterwards(limitedUntil);
      const reply = new Promise<Reply>((give) => held.push({ isOpen, give }));
      if (held.length >= tasks) void limitOne();
      else if (held.length === 1) void waitOr(stopped.signal, 1000 * gatherSeconds).then(limitOne);
      return reply;
    },
    stop: () => stopped.abort(),
  };
}

/** Waits so many milliseconds, or until the signal aborts. */
const waitOr = (signal: AbortSignal, milliseconds: number): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);

function afterwards(limitedUntil: number): Reply {
  const left = limitedUntil - performance.now();
  return left > 0 ? limitedFor(Math.ceil(left / 1000)) : served;
}

/** Gives the reply to each request of the scripted operation, when its time has come. */
export interface ScriptPlayer {
  /** @param isOpen whether the client still waits for this response. */
  reply(isOpen: () => boolean): Promise<Reply>;
  /** Ends what is being waited for. A reply that is given afterwards is not sent. */
  stop(): void;
}

/** A held response with a date is sent within so many milliseconds from the beginning of a second. */
const BEGINNING_OF_SECOND = 400;

/** So many milliseconds into a second it is sent otherwise: a timer may end one early, in the second before. */
const INTO_SECOND = 10;

/** How long a reply is held. A wait until a date then is no whole number of seconds: a client that cuts it to one comes early. */
function holdOf(reply: Reply): number {
  if (reply.kind !== 'rate-limited' || reply.heldSeconds === undefined) return 0;
  const held = 1000 * reply.heldSeconds;
  const intoSecond = (Date.now() + held) % 1000;
  const isLate = reply.retryAfter.form === 'date' && intoSecond > BEGINNING_OF_SECOND;
  return isLate ? held + 1000 - intoSecond + INTO_SECOND : held;
}

export function playerOf(script: Script): ScriptPlayer {
  if (script.kind === 'one-of-several') return severalTasks(script);
  const { kind, replies } = script;
  let played = 0;
  const stopped = new AbortController();
  return {
    reply: async () => {
      const at = kind === 'cycle' ? played % replies.length : Math.min(played, replies.length - 1);
      played += 1;
      const reply = replies[at] ?? replies[0];
      const held = holdOf(reply);
      if (held > 0) await waitOr(stopped.signal, held);
      return reply;
    },
    stop: () => stopped.abort(),
  };
}
