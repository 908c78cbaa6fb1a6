import type { Answer, Body, CompleteBody } from './exchange.ts';

/**
 * The text of a response body that is known from its first byte to its last: it arrived and was kept complete, and is
 * UTF-8, which nothing that is compressed is. Undefined otherwise, because nothing is judged by a part of a body, and
 * where no response came.
 */
export function completeText(answer: Answer | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const { body } = answer;
  return !body.cut && body.encoding === 'utf8' ? body.text : undefined;
}

/** A text that was sent from its first byte to its last. */
export const completeBody = (text: string): CompleteBody => ({
  text,
  encoding: 'utf8',
  bytes: new TextEncoder().encode(text).length,
  cut: false,
});

/** What is recorded, in base64, of bytes that are no text: one that is not UTF-8 either. */
export const LEFT_OUT_BODY = '/w==';

/** Whether nothing of a body was recorded but that it is not UTF-8. */
export const isLeftOut = (body: Body): boolean =>
  body.encoding === 'base64' && body.bytes > 1 && [LEFT_OUT_BODY, ''].includes(bodyTextForPeople(body));

/** What was kept of a body, for a person to look at; never to be judged. */
export const bodyTextForPeople = (body: Body): string => (body.cut ? body.excerpt : body.text);
