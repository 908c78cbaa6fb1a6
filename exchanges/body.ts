import type { Answer, Body, CompleteBody } from './exchange.ts';
import { headerValues } from './headers.ts';

/**
 * The text of a response body that is known from its first byte to its last: it
 * arrived and was kept complete, is UTF-8, and has no content coding. Undefined
 * otherwise, because nothing is judged by a part of a body, and where no response came.
 */
export function completeText(answer: Answer | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const { body } = answer;
  const known = !body.cut && body.encoding === 'utf8' && contentCodingOf(answer) === undefined;
  return known ? body.text : undefined;
}

/** A text that was sent from its first byte to its last. */
export const completeBody = (text: string): CompleteBody => ({
  text,
  encoding: 'utf8',
  bytes: new TextEncoder().encode(text).length,
  cut: false,
});

/** What was kept of a body, for a person to look at; never to be judged. */
export const bodyTextForPeople = (body: Body): string => (body.cut ? body.excerpt : body.text);

/**
 * The content coding of a body, where it has one although every request accepts
 * identity alone. RFC 9110 §12.5.3 permits a server to send one all the same.
 */
export function contentCodingOf({ headers }: Answer): string | undefined {
  const codings = headerValues(headers, 'Content-Encoding').filter((one) => !/^(identity)?$/i.test(one));
  return codings.length === 0 ? undefined : codings.join(', ');
}
