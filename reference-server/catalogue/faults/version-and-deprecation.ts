import type { Applies } from '../wrappers/responses.ts';
import { mapHeader, onResponse } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

const isDeprecated: Applies = ({ headers }) => headers.some(([name]) => name === 'Deprecation');

/**
 * Faults of the chapter "Version and deprecation". VER-1 is about the address
 * and VER-2 about a published document, so no response can violate them.
 */
export const versionAndDeprecation: readonly Fault[] = [
  {
    id: 'deprecation-true',
    description: 'Deprecation is "true" instead of a date.',
    breaks: [],
    warnings: ['DEP-1'],
    seenIn: 'SasanLabs/VulnerableApp#770, zalando#844: an expired draft of RFC 9745',
    ...onResponse(isDeprecated, (response) => mapHeader(response, 'Deprecation', () => 'true')),
  },
  {
    id: 'sunset-before-deprecation',
    description: 'Sunset is before Deprecation.',
    breaks: [],
    warnings: ['DEP-1'],
    seenIn: 'dates maintained by two teams (RFC 9745 §4 forbids it)',
    ...onResponse(isDeprecated, (response) =>
      mapHeader(response, 'Sunset', () => 'Wed, 01 Jan 2025 00:00:00 GMT'),
    ),
  },
  {
    id: 'deprecation-as-http-date',
    description: 'Deprecation is an HTTP-date.',
    breaks: [],
    warnings: ['DEP-1'],
    seenIn: 'the first drafts of RFC 9745, still in many gateways',
    ...onResponse(isDeprecated, (response) =>
      mapHeader(response, 'Deprecation', () => 'Sun, 11 Nov 2018 23:59:59 GMT'),
    ),
  },
  {
    id: 'sunset-as-timestamp',
    description: 'Sunset is written like Deprecation, as "@" and a Unix timestamp.',
    breaks: [],
    warnings: ['DEP-1'],
    seenIn:
      'one function that writes both dates, although their formats differ (RFC 8594 requires an HTTP-date)',
    ...onResponse(isDeprecated, (response) => mapHeader(response, 'Sunset', () => '@1861919999')),
  },
];
