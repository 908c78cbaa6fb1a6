import { KEYLESS } from './authentication.ts';
import { CREATIONS, INVALID_BODIES } from './creations.ts';
import { ERROR_BODIES } from './errors.ts';
import { DATES, MEDIA, MESSAGES } from './messages.ts';
import { LIMITED, PRESENCE } from './rate-limits.ts';
import type { CauseId } from './rule.ts';

const only = (...ids: readonly string[]): ReadonlySet<string> => new Set(ids);

/** The requirements that each cause violates by itself; what else it violates follows from that. */
export const requirementsOfCause: Readonly<Record<CauseId, ReadonlySet<string>>> = {
  'slash-redirect': only('LIST-1', 'CREATE-1'),
  'invalid-body-status': INVALID_BODIES,
  'invalid-body-crash': INVALID_BODIES,
  'absent-body-crash': only('CREATE-8'),
  'invalid-body-accepted': INVALID_BODIES,
  'created-status': CREATIONS,
  'adopted-id': only('CREATE-12'),
  'category-fields': only('CAT-1', 'CAT-2', 'CAT-3'),
  'list-envelope': only('LIST-2'),
  'draft-headers': PRESENCE,
  'near-headers': PRESENCE,
  'rate-limit-headers': PRESENCE,
  'headers-of-errors': PRESENCE,
  'html-error': ERROR_BODIES,
  'text-error': ERROR_BODIES,
  'error-fields': ERROR_BODIES,
  'own-error-fields': ERROR_BODIES,
  'open-access': KEYLESS,
  'scheme-not-required': only('AUTH-4'),
  'key-elsewhere': only('AUTH-4'),
  'loose-key': only('AUTH-3'),
  'unchecked-operations': only('AUTH-5'),
  'unchecked-paths': only('AUTH-1'),
  'validated-before-key': only('AUTH-6'),
  'unauthorized-crash': KEYLESS,
  'unauthorized-status': KEYLESS,
  'limited-headers': LIMITED,
  'limited-body': only('MEDIA-2'),
  'date-zone': DATES,
  'date-stands': only('HTTP-2'),
  framing: MESSAGES,
  gateway: only('HTTP-4'),
  'content-coding': MEDIA,
};
