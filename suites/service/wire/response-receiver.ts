import type { Dispatcher } from 'undici';
import { parsedJson } from '../../../kernel/basics/json.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import type { HeaderLine, Instant } from '../../../kernel/exchanges/exchange.ts';
import { headerLines } from '../../../kernel/exchanges/headers.ts';
import { BeyondBound, UnreadableBody } from './body-recorder.ts';
import type { BodyLength, ResponseReader } from './response-reader.ts';
import type { Clock, Reply } from './wire.ts';
import { noResponseOf } from './wire.ts';

type Received = Reply extends infer R ? (R extends unknown ? Omit<R, 'connection'> : never) : never;

interface Bounds {
  readonly clock: Clock;
  /** Milliseconds. */
  readonly requestMs: number;
  readonly bodyBytes: number;
  /** Without a reader before it is open, and where undici alone reads it. */
  readonly connection: { readonly reader?: ResponseReader };
}

/** A body that is JSON as a whole, or nothing until the connection ends, has no end after this long, in milliseconds. */
const ENDLESS_MS = 5000;

const MOST_INTERIM_RESPONSES = 100;

/** The most header lines of one response; real servers send far fewer. */
const MOST_HEADER_LINES = 1000;

/** An error ends it exactly once. A response whose head arrived stays a response, with an incomplete body. */
export class ResponseReceiver implements Dispatcher.DispatchHandler {
  readonly reply: Promise<Received>;
  readonly #bounds: Bounds;
  readonly #stopWaiting: () => void;
  readonly #chunks: Uint8Array[] = [];
  #resolve: (reply: Received) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #sent: Instant;
  #head: { readonly status: number; readonly headers: readonly HeaderLine[] } | undefined;
  #interimResponses = 0;
  #bytes = 0;
  #bodyBytes = 0;
  #stopAwaitingEnd: () => void = () => undefined;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#sent = bounds.clock.now();
    this.reply = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#stopWaiting = afterRunning(bounds.requestMs, bounds.clock, () => {
      const what = this.#controller === undefined ? 'connection' : 'complete answer';
      this.#giveUp(new Error(`no ${what} within ${bounds.requestMs / 1000} s`, { cause: 'timeout' }));
    });
  }

  /** undici calls this right before it writes the request; where it tries again, the last call counts. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sent = this.#bounds.clock.now();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // 100 and 103 precede the final response (RFC 9110 §15.2).
    if (status < 200) {
      this.#interimResponses += 1;
      if (this.#interimResponses > MOST_INTERIM_RESPONSES)
        this.#giveUp(new Error(`more than ${MOST_INTERIM_RESPONSES} interim responses`));
      return;
    }
    const headers =
      this.#bounds.connection.reader?.headers ??
      headerLines(Array.isArray(controller.rawHeaders) ? controller.rawHeaders : []);
    if (headers.length > MOST_HEADER_LINES)
      this.#giveUp(new Error(`more than ${MOST_HEADER_LINES} header lines`));
    else this.#head = { status, headers };
    if (this.#bounds.connection.reader?.length?.kind === 'until close') this.#awaitEnd();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    const free = this.#bounds.bodyBytes - this.#bodyBytes;
    if (free > 0) this.#chunks.push(chunk.subarray(0, free));
    this.#bodyBytes += Math.min(free, chunk.length);
    if (this.#bytes > this.#bounds.bodyBytes)
      this.#giveUp(new BeyondBound(`more than ${countOf(this.#bounds.bodyBytes, 'byte')} of a body`));
    else this.#awaitEnd();
  }

  #awaitEnd(): void {
    this.#stopAwaitingEnd();
    this.#stopAwaitingEnd = afterRunning(ENDLESS_MS, this.#bounds.clock, () => this.#giveUpEndless());
  }

  /** Every client waits for the end of such a body, until its patience ends. */
  #giveUpEndless(): void {
    const text = endlessText(this.#bounds.connection.reader?.length, this.#bytes);
    if (this.#bytes === 0) this.#giveUp(new Error(text));
    else if (parsedJson(Buffer.concat(this.#chunks).toString()) !== undefined)
      this.#giveUp(new UnreadableBody(text));
  }

  onResponseEnd(): void {
    this.finish(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.finish(error);
  }

  #giveUp(error: Error): void {
    this.finish(error);
    this.#controller?.abort(error);
  }

  /** @param error why the response did not arrive as a whole; undefined where it did. */
  finish(error: unknown): void {
    this.#stopWaiting();
    this.#stopAwaitingEnd();
    const moments = { sent: this.#sent, received: this.#bounds.clock.now() };
    if (this.#head === undefined) {
      this.#resolve({ kind: 'no-response', ...noResponseOf(error), ...moments });
      return;
    }
    const body = Buffer.concat(this.#chunks);
    const irregular = this.#bounds.connection.reader?.irregular ?? [];
    const cutByUs = error instanceof BeyondBound;
    const answer = {
      kind: 'answer',
      ...this.#head,
      body,
      bytes: this.#bytes + (cutByUs ? (this.#bounds.connection.reader?.overhead ?? 0) : 0),
      ...moments,
      ...(irregular.length === 0 ? {} : { irregular }),
    } as const;
    if (error === undefined || cutByUs) this.#resolve(answer);
    else if (error instanceof UnreadableBody) this.#resolve({ ...answer, unreadable: error.message });
    else this.#resolve({ ...answer, broken: noResponseOf(error).detail });
  }
}

/** A timer that fires so much too late, in milliseconds, shows that this program could not run. */
const STALLED_MS = 100;

/** As much later as this program could not run meanwhile: then responses wait unread. @returns what keeps it from calling back. */
function afterRunning(milliseconds: number, clock: Clock, callback: () => void): () => void {
  const due = clock.now().mono + milliseconds;
  let stop = (): void => clearTimeout(timer);
  const timer = setTimeout(() => {
    const late = clock.now().mono - due;
    if (late > STALLED_MS) stop = afterRunning(late, clock, callback);
    else callback();
  }, milliseconds);
  return () => stop();
}

function endlessText(length: BodyLength | undefined, arrived: number): string {
  const bytes = countOf(arrived, 'byte');
  switch (length?.kind) {
    case 'bytes':
      return `its Content-Length is ${length.bytes}, and ${bytes} arrived (RFC 9112 §6.3)`;
    case 'chunked':
      return 'its last chunk does not arrive (RFC 9112 §7.1)';
    case 'until close':
      return 'neither a valid Content-Length nor chunks show where its body ends, and the connection stays open (RFC 9112 §6.3)';
    default:
      return `its end does not arrive after ${bytes} (RFC 9112 §6.3)`;
  }
}
