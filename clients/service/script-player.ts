import type { Reply, Script } from '../model/scenario.ts';
import { SeveralTasks } from './several-tasks.ts';

/** Gives the reply to each request of the scripted operation, when its time has come. */
export interface ScriptPlayer {
  /** @param isOpen whether the client still waits for this response. */
  reply(isOpen: () => boolean): Promise<Reply>;
  /** Ends what is being waited for; replies that are still held are never given. */
  stop(): void;
}

/** A player of this script, from its beginning. */
export function playerOf(script: Script): ScriptPlayer {
  if (script.kind === 'one-of-several') return new SeveralTasks(script);
  const { kind, replies } = script;
  let played = 0;
  return {
    reply: async () => {
      const at = kind === 'cycle' ? played % replies.length : Math.min(played, replies.length - 1);
      played += 1;
      return replies[at] ?? replies[0];
    },
    stop: () => undefined,
  };
}
