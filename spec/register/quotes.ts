import { quote } from './statement.ts';

// The words of the specification on which requirements of services, of clients and of load rest alike.

export const BEYOND = quote(
  'behaviour-when-the-limit-is-exceeded',
  'A request that exceeds the limit gets `429 Too Many Requests`.',
);
export const RETRY_AFTER = quote(
  'errors',
  'The `Retry-After` header is present on a 429 response and tells the client when to retry.',
);
export const BAN = quote(
  'behaviour-when-the-limit-is-exceeded',
  'A client that keeps sending requests after receiving 429 may have its API key temporarily banned.',
);
export const HEADERS = quote('rate-limit-headers', 'Every API response carries:');
export const REMAINING = quote(
  'rate-limit-headers',
  '| X-RateLimit-Remaining | Requests left in the current window. |',
);
export const PLANS = quote('request-rates-by-plan', '| Plan | Requests per minute | Requests per day |');
export const LIMIT = quote(
  'rate-limit-headers',
  '| X-RateLimit-Limit | The limit in force for the caller. |',
);
export const BACK_OFF = quote(
  'behaviour-when-the-limit-is-exceeded',
  'The client must back off and retry after the time given in `Retry-After`.',
);
export const BEARER = quote(
  'authentication',
  'an API key sent in the `Authorization` header in the form `Bearer <API_KEY>`',
);
