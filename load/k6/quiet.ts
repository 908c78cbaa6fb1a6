/** Environment variables so that k6 contacts no host but the target: no usage report, no download of extensions. */
export const QUIET_K6 = {
  K6_NO_USAGE_REPORT: 'true',
  K6_AUTO_EXTENSION_RESOLUTION: 'false',
} as const;

/** The variable with which Go, and so k6, speaks HTTP/1.1 over TLS, too, as `certify` does; it would agree on HTTP/2. */
export const HTTP_1 = { GODEBUG: 'http2client=0' } as const;
