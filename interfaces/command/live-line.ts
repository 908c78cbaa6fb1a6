import { clearLine, cursorTo } from 'node:readline';
import type { Terminal } from './terminal.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 100;

/** A line that is redrawn ten times a second until it is stopped. */
export function liveLine({ err }: Terminal, text: () => string): { readonly stop: () => void } {
  let frame = 0;
  const clear = (): void => {
    cursorTo(err, 0);
    clearLine(err, 0);
  };
  const draw = (): void => {
    frame = (frame + 1) % FRAMES.length;
    const line = `${FRAMES[frame] ?? ''} ${text()}`;
    clear();
    // The last column stays free, because a full line wraps on some terminals.
    err.write(line.slice(0, (err.columns || line.length + 1) - 1));
  };
  const timer = setInterval(draw, FRAME_MS);
  return {
    stop() {
      clearInterval(timer);
      clear();
    },
  };
}
