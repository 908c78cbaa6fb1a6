import type { HeaderLine, NoResponseCause } from '../../../kernel/exchanges/exchange.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';
import { Session } from '../../../suites/service/wire/session.ts';
import type { Reply, Wire, WireRequest } from '../../../suites/service/wire/wire.ts';
import { VirtualClock } from '../../simulation/service-time.ts';

/** What the target does with the next request: it responds, or no response comes. */
export type ScriptedReply =
  | {
      readonly status: number;
      readonly remaining?: number;
      readonly retryAfter?: string;
      /** How many bytes of body the wire counts; by default those of an empty list. */
      readonly bytes?: number;
      /** The body breaks off after this many milliseconds. */
      readonly breaksOffAfter?: number;
    }
  | { readonly noResponse: NoResponseCause; readonly fresh?: boolean };

/** A request that reached the scripted target, and when, in milliseconds on the monotonic clock. */
export interface ReceivedRequest {
  readonly request: WireRequest;
  readonly at: number;
}

/** 200 with this Remaining. */
export const okReply = (remaining: number): ScriptedReply => ({ status: 200, remaining });

/** 429 with this Retry-After, if any. */
export const limitedReply = (retryAfter?: string): ScriptedReply => ({
  status: 429,
  remaining: 0,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** A session in simulated time before a target that follows a script. Every request after the end of the script gets 200. */
export function scriptedTarget(...script: readonly ScriptedReply[]) {
  const clock = new VirtualClock();
  const lines: JournalLine[] = [];
  const received: ReceivedRequest[] = [];
  const replies = [...script];
  const wire: Wire = {
    async send(request) {
      const moment = clock.now();
      received.push({ request, at: moment.mono });
      const next = replies.shift() ?? { status: 200 };
      await clock.sleep('breaksOffAfter' in next ? (next.breaksOffAfter ?? 1) : 1);
      return replyOf(next, received.length, moment, clock.now());
    },
    closeConnections: async () => undefined,
  };
  const session = new Session({
    wire,
    clock,
    journal: { append: (line) => void lines.push(line) },
    keys: { key: 'the-key-of-the-pacer' },
    baseUrl: new URL('http://127.0.0.1:8080/v1'),
  });
  session.beginProbe('exhaust-quota');
  const notes = () => lines.flatMap((line) => (line.kind === 'note' ? [line.text] : []));
  const waits = () => lines.flatMap((line) => (line.kind === 'wait' ? [line.seconds] : []));
  return { session, clock, received, notes, waits };
}

function replyOf(next: ScriptedReply, id: number, sent: Reply['sent'], received: Reply['received']): Reply {
  if ('noResponse' in next) {
    const { noResponse: cause, fresh = true } = next;
    return {
      kind: 'no-response',
      cause,
      detail: `it was ${cause}`,
      connection: { id, fresh },
      sent,
      received,
    };
  }
  const { status, remaining, retryAfter, bytes = 2, breaksOffAfter } = next;
  const headers: HeaderLine[] = [
    ['Date', new Date(received.wall).toUTCString()],
    ...(remaining === undefined ? [] : rateHeaders(remaining)),
    ...(retryAfter === undefined ? [] : ([['Retry-After', retryAfter]] as const)),
  ];
  const body = Buffer.from('[]');
  const broken = breaksOffAfter === undefined ? {} : { broken: 'no complete answer' };
  const connection = { id, fresh: true };
  return { kind: 'answer', status, headers, body, bytes, connection, sent, received, ...broken };
}

const rateHeaders = (remaining: number): readonly HeaderLine[] => [
  ['X-RateLimit-Limit', '60'],
  ['X-RateLimit-Remaining', String(remaining)],
];
