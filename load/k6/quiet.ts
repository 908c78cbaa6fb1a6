/** The environment in which k6 calls nobody but the target: no report of its use, no extensions fetched. */
export const QUIET_K6 = {
  K6_NO_USAGE_REPORT: 'true',
  K6_AUTO_EXTENSION_RESOLUTION: 'false',
} as const;
