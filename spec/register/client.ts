import { BACK_OFF, BAN, BEARER } from './quotes.ts';
import { chapter, quote } from './statement.ts';

const EXPONENTIAL = quote(
  'behaviour-when-the-limit-is-exceeded',
  'Exponential backoff is the required client behaviour.',
);

const { must, observe } = chapter("The client's side", 'by certify-client');

/** What `certify-client` tests. */
export const client = [
  must(
    'CLIENT-1',
    'After a 429 the client waits at least for `Retry-After` (seconds or HTTP-date) before it sends again.',
    BACK_OFF,
    'RFC 9110 §10.2.3',
  ),
  must(
    'CLIENT-2',
    'On repeated 429 responses the delays of the client grow exponentially (with a tolerance for jitter).',
    EXPONENTIAL,
  ),
  must(
    'CLIENT-3',
    'The client sends nothing with the key while it has to wait, on any connection or operation.',
    BAN,
  ),
  must(
    'CLIENT-4',
    'The client sends its key as `Authorization: Bearer`, and bodies as `application/json` without `id`.',
    BEARER,
  ),
  observe(
    'CLIENT-5',
    'The client spreads its retries: it adds jitter to `Retry-After`, and never subtracts any.',
    BACK_OFF,
  ),
  observe(
    'CLIENT-6',
    'The client gives up after a bounded number of attempts, and does not retry 400 or 401.',
    EXPONENTIAL,
  ),
] as const;
