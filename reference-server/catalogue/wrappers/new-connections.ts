import type { Seams } from '../../seams.ts';
import type { Outcome, Request } from '../../service/message.ts';

// A firewall that limits how fast connections are opened.

/** So many new connections in a second, and the firewall turns the next one away. */
const MOST = 5;

/** Tells which requests are turned away: the first one of a connection that is one too many, and its later ones or not. */
export function beyondFive(later: 'turned away' | 'open'): (request: Request, now: number) => boolean {
  const known = new Map<number, 'open' | 'turned away'>();
  let opened: readonly number[] = [];
  return ({ client: { connection } }, now) => {
    const state = known.get(connection);
    if (state !== undefined) return state === 'turned away';
    opened = opened.filter((at) => at > now - 1000);
    const turns = opened.length >= MOST;
    if (!turns) opened = [...opened, now];
    known.set(connection, turns ? later : 'open');
    return turns;
  };
}

/** A firewall before a service that does not see the first request of a connection beyond five in a second. Where the connection stays open, it is served later. */
export function firewallBefore(answer: (now: number) => Outcome): Seams {
  return {
    wrapService(handle, { now }) {
      const isTurned = beyondFive('open');
      return (request) => (isTurned(request, now()) ? answer(now()) : handle(request));
    },
  };
}

/** A page of a firewall, without the headers of the service. */
export function pageOf(status: number): (now: number) => Outcome {
  return (now) => ({
    kind: 'response',
    status,
    headers: [
      ['Content-Type', 'text/html'],
      ['Date', new Date(now).toUTCString()],
    ],
    body: Buffer.from('<html><title>Try again</title><p>Too many connections</p></html>'),
  });
}
