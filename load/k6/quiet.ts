/** Environment variables so that k6 contacts no host but the target: no usage report, no download of extensions. */
export const QUIET_K6 = {
  K6_NO_USAGE_REPORT: 'true',
  K6_AUTO_EXTENSION_RESOLUTION: 'false',
} as const;
