import type { Applies } from './answers.ts';
import { mapHeader, onReply } from './answers.ts';
import type { Fault } from './fault.ts';

const isDeprecated: Applies = ({ headers }) => headers.some(([name]) => name === 'Deprecation');

/**
 * Faults of the chapter "Version and deprecation". VER-1 is about the address
 * and VER-2 about a published document, which a server's answers cannot break.
 */
export const versionAndDeprecation: readonly Fault[] = [
  {
    id: 'deprecation-true',
    says: 'Deprecation is "true" instead of a date.',
    breaks: [],
    warns: ['DEP-1'],
    seen: 'SasanLabs/VulnerableApp#770, zalando#844: an expired draft of RFC 9745',
    ...onReply(isDeprecated, (reply) => mapHeader(reply, 'Deprecation', () => 'true')),
  },
  {
    id: 'sunset-before-deprecation',
    says: 'Sunset lies before Deprecation.',
    breaks: [],
    warns: ['DEP-1'],
    seen: 'dates that two teams look after (RFC 9745 §4 forbids it)',
    ...onReply(isDeprecated, (reply) => mapHeader(reply, 'Sunset', () => 'Wed, 01 Jan 2025 00:00:00 GMT')),
  },
  {
    id: 'deprecation-as-http-date',
    says: 'Deprecation is an HTTP-date.',
    breaks: [],
    warns: ['DEP-1'],
    seen: 'the first drafts of RFC 9745, still in many gateways',
    ...onReply(isDeprecated, (reply) =>
      mapHeader(reply, 'Deprecation', () => 'Sun, 11 Nov 2018 23:59:59 GMT'),
    ),
  },
  {
    id: 'sunset-as-timestamp',
    says: 'Sunset is written like Deprecation, as "@" and a Unix timestamp.',
    breaks: [],
    warns: ['DEP-1'],
    seen: 'one date writer for two headers that disagree (RFC 8594 wants an HTTP-date)',
    ...onReply(isDeprecated, (reply) => mapHeader(reply, 'Sunset', () => '@1861919999')),
  },
];
