import type { Socket } from 'node:net';

/** The beginning of an interim response; `#` stands for a digit. */
const INTERIM = 'HTTP/1.# 1##';
const CONTINUE = '100';
/** 101 is not dropped: the bytes after it are no longer HTTP (RFC 9110 §15.2.2). */
const SWITCHING = '101';

/** At most this many are dropped before a response. At the next one undici closes the connection. */
const MOST_CONTINUES = 16;

const HEAD_END = '\r\n\r\n';

/** The most bytes of one interim head that are buffered. */
const HEAD_BYTES = 64 * 1024;

/**
 * Drops 100 (Continue) responses from what a socket reads before the final
 * response. A client must be able to parse them even where it expects none (RFC
 * 9110 §15.2). undici 7.30 reads every other interim response, and closes the
 * connection at this one.
 */
export class InterimResponseFilter {
  #awaiting = true;
  #continues = 0;
  #held: Buffer = Buffer.alloc(0);

  /** Filters what this socket's `read` returns from now on. */
  constructor(socket: Socket) {
    const read = socket.read.bind(socket);
    socket.read = (size?: number): Buffer | null => {
      const chunk = read(size);
      return chunk === null || !this.#awaiting ? chunk : this.#pass(Buffer.concat([this.#held, chunk]));
    };
  }

  /** A request is about to be sent, so the next bytes begin a response. */
  expectResponse(): void {
    this.#awaiting = true;
    this.#continues = 0;
  }

  /** The bytes to read, without dropped responses; null until enough bytes arrived to decide. */
  #pass(bytes: Buffer): Buffer | null {
    const read: Buffer[] = [];
    let rest = bytes;
    this.#awaiting = mayBeInterim(rest);
    while (this.#awaiting) {
      const end = rest.indexOf(HEAD_END);
      this.#awaiting = end !== -1 || rest.length <= HEAD_BYTES;
      if (end === -1) break;
      const head = rest.subarray(0, end + HEAD_END.length);
      if (this.#isDropped(head)) this.#continues += 1;
      else read.push(head);
      rest = rest.subarray(head.length);
      this.#awaiting = mayBeInterim(rest);
    }
    this.#held = this.#awaiting ? rest : Buffer.alloc(0);
    if (!this.#awaiting) read.push(rest);
    return read.length === 0 ? null : Buffer.concat(read);
  }

  #isDropped(head: Buffer): boolean {
    return head.toString('latin1', 0, INTERIM.length).endsWith(CONTINUE) && this.#continues < MOST_CONTINUES;
  }
}

/** Whether these bytes begin like an interim response, as far as they go. */
function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, INTERIM.length);
  if (start.endsWith(SWITCHING)) return false;
  return [...start].every((letter, i) =>
    INTERIM[i] === '#' ? letter >= '0' && letter <= '9' : letter === INTERIM[i],
  );
}
