import type { Statement } from './statement.ts';

/** The chapter "Version and deprecation" of the register, in the register's order. */
export const versionAndDeprecation = [
  {
    id: 'VER-1',
    chapter: 'Version and deprecation',
    level: 'MUST',
    sentence: 'The base address ends in the segment `/v1`.',
    from: {
      section: 'versioning',
      quote: 'both end in the segment `/v1`',
    },
    judged: 'by certify',
  },
  {
    id: 'VER-2',
    chapter: 'Version and deprecation',
    level: 'MUST',
    sentence:
      'An OpenAPI document that the target publishes (opt-in: its address) is valid OpenAPI 3.0.3, has version 1.0.0, and describes the operations of the specification.',
    from: {
      section: 'versioning',
      quote: 'The interface description is version 1.0.0 and uses OpenAPI 3.0.3.',
    },
    judged: 'by certify',
  },
  {
    id: 'DEP-1',
    chapter: 'Version and deprecation',
    level: 'OBSERVE',
    sentence:
      '`Deprecation` (RFC 9745) and `Sunset` (RFC 8594) on `GET /pets/{petId}` (malformed values: `warn`).',
    from: {
      section: 'versioning',
      quote: '`GET /pets/{petId}` is deprecated and has a sunset date.',
      rfc: 'RFC 9745, RFC 8594',
    },
    judged: 'by certify',
  },
  {
    id: 'STAB-1',
    chapter: 'Version and deprecation',
    level: 'OBSERVE',
    sentence:
      'The stability marker of operations (experimental, beta): an extension of the published OpenAPI document such as `x-stability`, or a header of responses.',
    from: {
      section: 'what-the-service-does',
      quote: 'Some operations carry a stability marker, experimental or beta.',
    },
    judged: 'by certify',
  },
] as const satisfies readonly Statement[];
