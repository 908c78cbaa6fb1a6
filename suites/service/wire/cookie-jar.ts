import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { headerValues } from '../../../kernel/exchanges/headers.ts';

/** The most cookies that are sent back, and the longest line of them; browsers keep more (RFC 6265 §6.1). */
const MOST = 20;
const LONGEST = 4096;

/**
 * The cookies that a target sets, as a browser keeps them (RFC 6265 §5.3). They are secrets of the target, so they are
 * kept in memory alone. Of cookies with one name the last one counts, and one without a value was deleted.
 */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** Keeps the cookies of a response. */
  keep(headers: readonly HeaderLine[]): void {
    for (const line of headerValues(headers, 'Set-Cookie')) {
      const [, name = '', value = ''] = /^([!-:<>-~]+)=([!-:<-~]*)/.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
      const [oldest = ''] = this.#cookies.keys();
      if (this.#cookies.size > MOST) this.#cookies.delete(oldest);
    }
  }

  /** The line of the `Cookie` header that a browser would send (RFC 6265 §4.2); empty where there is no cookie. */
  get line(): string {
    const pairs = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    while (pairs.join('; ').length > LONGEST) pairs.shift();
    return pairs.join('; ');
  }
}
