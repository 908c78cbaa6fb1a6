import { createHash } from 'node:crypto';
import type { Seams } from '../../seams.ts';
import { headerValues } from '../../service/message.ts';
import type { SentResponse } from './responses.ts';
import { isList, onResponse, withLines, withoutHeaders, withText } from './responses.ts';

/** Lists with an ETag, and 304 to a request that has it already (RFC 9110 §13.1.2); `change` is made to each 304. */
export function conditionalLists(change: (response: SentResponse) => SentResponse): Seams {
  return onResponse(isList, (response, request) => {
    const digest = createHash('sha256').update(response.body).digest('hex').slice(0, 16);
    const tagged = withLines(response, ['ETag', `W/"${digest}"`]);
    const known = headerValues(request, 'If-None-Match');
    return known.includes(`W/"${digest}"`) || known.includes('*') ? change(notModified(tagged)) : tagged;
  });
}

const notModified = (response: SentResponse): SentResponse => ({
  ...withoutHeaders(withText(response, ''), 'Content-Type', 'Content-Length'),
  status: 304,
});
