import { setTimeout as delay } from 'node:timers/promises';
import type { Reply, Script } from '../model/scenario.ts';
import { SeveralTasks } from './several-tasks.ts';

/** Gives the reply to each request of the scripted operation, when its time has come. */
export interface ScriptPlayer {
  /** @param isOpen whether the client still waits for this response. */
  reply(isOpen: () => boolean): Promise<Reply>;
  /** Ends what is being waited for. A reply that is given afterwards is not sent. */
  stop(): void;
}

/** A player of this script, from its beginning. */
export function playerOf(script: Script): ScriptPlayer {
  if (script.kind === 'one-of-several') return new SeveralTasks(script);
  const { kind, replies } = script;
  let played = 0;
  const stopped = new AbortController();
  return {
    reply: async () => {
      const at = kind === 'cycle' ? played % replies.length : Math.min(played, replies.length - 1);
      played += 1;
      const reply = replies[at] ?? replies[0];
      const held = reply.kind === 'rate-limited' ? (reply.heldSeconds ?? 0) : 0;
      if (held > 0) await delay(1000 * held, undefined, { signal: stopped.signal }).catch(() => undefined);
      return reply;
    },
    stop: () => stopped.abort(),
  };
}
