import type { createLogUpdate } from 'log-update';
import type { Terminal } from './terminal.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 100;

/** A line that is redrawn ten times a second until it is stopped. */
export function liveLine({ err }: Terminal, text: () => string): { readonly stop: () => void } {
  let log: ReturnType<typeof createLogUpdate> | undefined;
  // Loaded only for a live line, so that a pipeline does not wait for it.
  void import('log-update').then((loaded) => {
    log = loaded.createLogUpdate(err, { showCursor: true });
  });
  let frame = 0;
  const draw = (): void => {
    frame = (frame + 1) % FRAMES.length;
    const line = `${FRAMES[frame] ?? ''} ${text()}`;
    // The last column stays free, because a full line wraps on some terminals.
    log?.(line.slice(0, (err.columns || line.length + 1) - 1));
  };
  const timer = setInterval(draw, FRAME_MS);
  return {
    stop() {
      clearInterval(timer);
      log?.clear();
    },
  };
}
