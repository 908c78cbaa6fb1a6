import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { Redact } from '../../../kernel/recording/redaction/redact.ts';
import { KEY } from '../model/sender.ts';
import { keyRedactor } from '../service/key-redactor.ts';

/** The requests of one key, or those without one: they are judged together. */
export interface SeenKey {
  /** Numbered from 1 in the order in which the keys were seen. */
  readonly start: number;
  /** Replaces this key by `[key]`, and every other one that was seen. */
  readonly redact: Redact;
  /** The same for a value of `Authorization`, of which the key is known even where it is too short to be recognized in other text. */
  readonly redactCredential: Redact;
}

/**
 * The keys of a watched client. A client brings its own, so they are learnt from its `Authorization` headers; those that
 * the user names are known from the first byte.
 */
export class SeenKeys {
  readonly #keys = new Map<string, SeenKey>();
  readonly #redactors = new Map<string, Redact>();
  readonly #known: readonly string[];

  constructor(known: readonly string[]) {
    this.#known = known;
    for (const key of known) this.#learn(key);
  }

  /** Whose request this is. */
  keyOf(headers: readonly HeaderLine[], target: string): SeenKey {
    const credential = credentialOf(headers) ?? this.#known.find((key) => holds(headers, target, key)) ?? '';
    const known = this.#keys.get(credential);
    if (known !== undefined) return known;
    this.#learn(credential);
    const seen: SeenKey = {
      start: this.#keys.size + 1,
      redact: (text) => this.#redacted(text, credential),
      redactCredential: (value) =>
        credential !== '' && value.trim().endsWith(credential)
          ? `${value.trim().slice(0, -credential.length)}${KEY}`
          : this.#redacted(value, credential),
    };
    this.#keys.set(credential, seen);
    return seen;
  }

  #learn(key: string): void {
    if (key !== '' && !this.#redactors.has(key)) this.#redactors.set(key, keyRedactor(key));
  }

  #redacted(text: string, own: string): string {
    let shown = text;
    for (const [key, redact] of this.#redactors) {
      if (key !== own) shown = redact(shown).replaceAll('[key', '[another key');
    }
    return this.#redactors.get(own)?.(shown) ?? shown;
  }
}

/** What stands behind the scheme of `Authorization`, or all of it where there is no scheme. */
function credentialOf(headers: readonly HeaderLine[]): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1].trim();
  return value === undefined || value === '' ? undefined : (/^\S+\s+(.+)$/.exec(value)?.[1] ?? value);
}

const holds = (headers: readonly HeaderLine[], target: string, key: string): boolean =>
  target.includes(key) || headers.some(([, value]) => value.includes(key));
