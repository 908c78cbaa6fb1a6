import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';

/** Header lines as they came, in their order and casing. @param raw names and values in turn, as a parser gives them. */
export function headerLines(raw: readonly string[]): readonly HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return lines;
}

/**
 * Whether a request has exactly one `Authorization` with the key, "in the form `Bearer <API_KEY>`". The name of a scheme
 * is compared without case (RFC 9110 §11.1). The key in another place is no credential.
 */
export function hasKey(headers: readonly HeaderLine[], key: string): boolean {
  const values = headers.filter(([name]) => name.toLowerCase() === 'authorization').map(([, value]) => value);
  const [value = ''] = values;
  return values.length === 1 && /^bearer /i.test(value) && value.slice('Bearer '.length) === key;
}
