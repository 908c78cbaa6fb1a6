import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Body } from '../../../kernel/exchanges/exchange.ts';
import { utf8Text } from '../../../kernel/recording/line-file.ts';
import { encodedForms } from '../../../kernel/recording/redaction/encodings.ts';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import { redactor } from '../../../kernel/recording/redaction/redact.ts';

/** The body of a request as far as it was kept. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Bytes that arrived in all. */
  readonly length: number;
  /** Whether every byte was kept. */
  readonly complete: boolean;
}

/** Bytes that are kept of a body. A category takes a hundred. */
const KEPT_BYTES = 64 * 1024;

/** Bytes after which a body is read no further and its connection is closed. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Characters that are dropped before a cut, because they may be the unrecognized half of a key. */
const CUT_MARGIN = 512;

/** Keeps the beginning of a body that arrives in pieces. */
export class BodyKeeper {
  readonly #kept: Buffer[] = [];
  length = 0;

  add(piece: Buffer): void {
    if (this.length < KEPT_BYTES) this.#kept.push(piece.subarray(0, KEPT_BYTES - this.length));
    this.length += piece.length;
  }

  get body(): ReceivedBody {
    const { length } = this;
    return { bytes: Buffer.concat(this.#kept), length, complete: length <= KEPT_BYTES };
  }
}

/** Reads a body to its end; undefined where it broke off or is far too long. Never rejects. */
export function receiveBody(request: IncomingMessage): Promise<ReceivedBody | undefined> {
  return new Promise((resolve) => {
    const keeper = new BodyKeeper();
    request.on('data', (chunk: Buffer) => {
      keeper.add(chunk);
      if (keeper.length > MOST_BYTES) request.destroy();
    });
    request.on('end', () => resolve(keeper.body));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}

/** A body for the journal: null where there was none, the key replaced, in base64 where it is not UTF-8. */
export function recordedBody({ bytes, length, complete }: ReceivedBody, redact: Redact): Body | null {
  if (length === 0) return null;
  const text = utf8Text(bytes);
  // Latin-1 maps every byte to one character, so that a key among other bytes is found.
  const redacted = redact(text ?? bytes.toString('latin1'));
  const shown = complete ? redacted : redacted.slice(0, -CUT_MARGIN);
  const [written, encoding] =
    text === undefined
      ? [Buffer.from(shown, 'latin1').toString('base64'), 'base64' as const]
      : [shown, 'utf8' as const];
  return complete
    ? { text: written, encoding, bytes: length, cut: false }
    : { excerpt: written, encoding, bytes: length, cut: true };
}

/**
 * How many requests a scripted service takes from one start of a client. Clients were measured that send 90,000 requests
 * in a minute; these bounds keep the journal and this machine small.
 */
export const ARRIVAL_BOUNDS = { inAll: 300, inASecond: 100 };
export type ArrivalBounds = Readonly<typeof ARRIVAL_BOUNDS>;

const SECOND_MS = 1000;

/** Counts each arrival at its moment, in milliseconds of a monotonic clock; false where it exceeds a bound. */
export function arrivalCounter({ inAll, inASecond }: ArrivalBounds): (mono: number) => boolean {
  let recent: readonly number[] = [];
  let all = 0;
  return (mono) => {
    all += 1;
    recent = [...recent.filter((at) => at > mono - SECOND_MS), mono];
    return all <= inAll && recent.length <= inASecond;
  };
}

/** `[key]` where it is exactly the key, `[key, escaped]` and `[key in base64]`: a judge can tell it from what is meant to be the key. */
export function keyRedactor(key: string): Redact {
  const own = { value: key, name: 'key', escapedName: 'key, escaped' };
  return redactor([own, ...encodedForms(own)].sort((a, b) => b.value.length - a.value.length));
}

/** It stands nowhere and ends with this process: so equal values are known as equal, and none can be guessed. */
const SALT = randomBytes(32);

/** What stands for a value that is not recorded: the same for equal ones. */
export const tagOf = (value: string): string =>
  createHmac('sha256', SALT).update(value).digest('hex').slice(0, 8);
