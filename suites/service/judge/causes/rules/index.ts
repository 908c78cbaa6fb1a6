import { withoutValidKey } from './authentication.ts';
import { adoptedId, categoryFields, createdStatus, invalidBody, listEnvelope } from './creations.ts';
import { errorBody } from './errors.ts';
import { contentCoding, dateStands, dateZone, framing, gateway, slashRedirect } from './messages.ts';
import { limitedBody, limitedHeaders, rateHeaders } from './rate-limits.ts';
import type { Rule } from './rule.ts';

/** Every rule, in the order in which they are tried: a finding belongs to the first cause that it shares with another one. */
export const rules: readonly Rule[] = [
  slashRedirect,
  framing,
  gateway,
  contentCoding,
  invalidBody,
  createdStatus,
  adoptedId,
  categoryFields,
  listEnvelope,
  rateHeaders,
  errorBody,
  withoutValidKey,
  limitedHeaders,
  limitedBody,
  dateZone,
  dateStands,
];
