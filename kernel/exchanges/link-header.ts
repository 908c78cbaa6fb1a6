import type { HeaderLine } from './exchange.ts';
import { headerValues } from './headers.ts';

/** The reference of a next page in the `Link` headers of a response (RFC 8288 §3), as it stands there; undefined where none is named. */
export function nextReference(headers: readonly HeaderLine[]): string | undefined {
  for (const value of headerValues(headers, 'Link')) {
    for (const link of value.split(/,\s{0,20}(?=<)/)) {
      const end = link.indexOf('>');
      const start = link.indexOf('<');
      if (start !== -1 && end > start && namesNext(link.slice(end + 1))) return link.slice(start + 1, end);
    }
  }
  return undefined;
}

/** Whether a Link names a next page. The relations are looked at by themselves: in one expression, white space has two readings. */
export const namesNext = (link: string): boolean =>
  [...link.matchAll(/;\s*rel\s*=\s*"?([^";,]*)/gi)].some(([, relations = '']) => /\bnext\b/i.test(relations));

/** A longer reference is not followed, in characters. */
const LONGEST_REFERENCE = 2000;

/**
 * The path and query of a next page of the list that `target` shows, where the
 * reference leads to the same origin and the same path; undefined for every
 * other one, because the request carries a key. Relative references are
 * resolved as RFC 3986 §5 says.
 */
export function sameListReference(reference: string, origin: string, target: string): string | undefined {
  const from = `${origin}${target}`;
  if (reference.length > LONGEST_REFERENCE || !URL.canParse(from) || !URL.canParse(reference, from))
    return undefined;
  const [here, next] = [new URL(from), new URL(reference, from)];
  const same = next.origin === here.origin && next.pathname === here.pathname;
  return same ? `${next.pathname}${next.search}` : undefined;
}
