import type { Socket } from 'node:net';

/** The beginning of an interim answer; `#` stands for a digit. */
const INTERIM = 'HTTP/1.# 1##';
const CONTINUE = '100';
/** What switches the protocol is no interim answer: what follows it is no HTTP any more (RFC 9110 §15.2.2). */
const SWITCHING = '101';

/** So many of them are taken out before an answer; who sends more is left to undici, which breaks the connection off. */
const MOST_CONTINUES = 16;

const HEAD_END = '\r\n\r\n';

/** The most bytes of one interim head that are waited for. */
const HEAD_BYTES = 64 * 1024;

/**
 * Takes answers of 100 out of what a socket reads, up to the answer itself. A
 * client must be able to parse them even where it expects none (RFC 9110
 * §15.2); undici reads every other interim answer, and breaks the connection
 * off at this one.
 */
export class InterimFilter {
  #awaiting = true;
  #continues = 0;
  #held: Buffer = Buffer.alloc(0);

  /** Puts the filter between a socket and whoever calls its `read`. */
  constructor(socket: Socket) {
    const read = socket.read.bind(socket);
    socket.read = (size?: number): Buffer | null => {
      const chunk = read(size);
      return chunk === null || !this.#awaiting ? chunk : this.#pass(Buffer.concat([this.#held, chunk]));
    };
  }

  /** The next bytes are the beginning of an answer. */
  expectAnswer(): void {
    this.#awaiting = true;
    this.#continues = 0;
  }

  /** What is to be read of these bytes; null until it is known what they begin. */
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

/** Whether these bytes are an interim head, or the beginning of what may become one. */
function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, INTERIM.length);
  if (start.endsWith(SWITCHING)) return false;
  return [...start].every((letter, i) =>
    INTERIM[i] === '#' ? letter >= '0' && letter <= '9' : letter === INTERIM[i],
  );
}
