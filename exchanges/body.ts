import type { Answer, Body } from './exchange.ts';
import { headerValues } from './headers.ts';

/**
 * The text of an answer's body, where all of it is known: it arrived and was
 * kept whole, is UTF-8, and has no coding. Undefined otherwise: what the rest
 * may say is not known, so nothing can be judged by it.
 */
export function wholeText(answer: Answer): string | undefined {
  const { body } = answer;
  const known = !body.cut && body.encoding === 'utf8' && codingOf(answer) === undefined;
  return known ? body.text : undefined;
}

/** What there is of a body, for a person to look at; never to be judged. */
export const shownText = (body: Body): string => (body.cut ? body.excerpt : body.text);

/**
 * The coding of a body, where it has one although the examination asks for
 * identity alone. RFC 9110 §12.5.3 lets a server do so, if against its advice.
 */
export function codingOf({ headers }: Answer): string | undefined {
  const codings = headerValues(headers, 'Content-Encoding').filter((one) => !/^(identity)?$/i.test(one));
  return codings.length === 0 ? undefined : codings.join(', ');
}
