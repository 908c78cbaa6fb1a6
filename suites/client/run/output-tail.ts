import type { Redact } from '../../../kernel/recording/redaction/redact.ts';

/** Bytes that are kept of what a client prints: the last ones. */
export const KEPT_OUTPUT_BYTES = 64 * 1024;

/** Bytes after which a client is stopped that prints without end. */
export const MOST_OUTPUT_BYTES = 5 * 1024 * 1024;

/** Bytes that are kept beyond these for redaction, because a cut could leave half a key behind, every byte of it escaped. */
const CUT_MARGIN = 1024;

/** The end of what a client has printed, in bounded memory. */
export class OutputTail {
  readonly #onExcess: () => void;
  #chunks: Buffer[] = [];
  #kept = 0;
  #total = 0;

  /** @param onExcess called when the client has printed more than it may. */
  constructor(onExcess: () => void) {
    this.#onExcess = onExcess;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    if (this.#kept > 4 * KEPT_OUTPUT_BYTES) this.#compact();
    if (this.#total > MOST_OUTPUT_BYTES) this.#onExcess();
  }

  /** The last of it, the key replaced by its name. */
  text(redact: Redact): string {
    this.#compact();
    const [bytes = Buffer.alloc(0)] = this.#chunks;
    const redacted = redact(bytes.toString('utf8'));
    return this.#total > KEPT_OUTPUT_BYTES ? redacted.slice(CUT_MARGIN) : redacted;
  }

  #compact(): void {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [Buffer.from(all.subarray(Math.max(0, all.length - KEPT_OUTPUT_BYTES - CUT_MARGIN)))];
    this.#kept = this.#chunks[0]?.length ?? 0;
  }
}
