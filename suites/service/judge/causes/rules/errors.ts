import { quoted } from '../../../../../kernel/basics/text.ts';
import { answerOf, headerValue } from '../../../../../kernel/exchanges/headers.ts';
import { bodyFields } from '../../../evidence/json.ts';
import { isPage } from '../../../model/target-reading.ts';
import { frameworkOf } from '../frameworks.ts';
import type { Rule } from './rule.ts';
import { symptom } from './rule.ts';

export const ERROR_BODIES: ReadonlySet<string> = new Set(['MEDIA-1', 'ERR-1', 'ERR-2']);

/** The most field names that a title lists. */
const MOST_FIELDS = 6;

/** Error bodies by their kind. An error handler never sees what code of one's own wrote, so its shape says which of them did. */
export const errorBody: Rule = ({ id, exchanges: [first] }) => {
  const answer = answerOf(first);
  if (!ERROR_BODIES.has(id) || answer === undefined || answer.status < 400) return undefined;
  if (isPage(answer)) return symptom('html-error', 'Error responses are HTML pages instead of JSON.');
  const fields = bodyFields(answer.body);
  if (fields === undefined) {
    return /^text\/(plain|html)\b/i.test(headerValue(answer.headers, 'Content-Type') ?? '')
      ? symptom('text-error', 'Error responses are plain text instead of JSON.')
      : undefined;
  }
  if (fields.has('code') && fields.has('message') && fields.has('status')) return undefined;
  const shown = [...fields.keys()].sort().slice(0, MOST_FIELDS).map(quoted).join(', ');
  return symptom(
    frameworkOf(first)?.wroteBody === true ? 'error-fields' : 'own-error-fields',
    `Error responses have ${shown === '' ? 'no fields' : `the fields ${shown}`} instead of "code", "message" and "status".`,
  );
};
