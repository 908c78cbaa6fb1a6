import packageJson from '../../package.json' with { type: 'json' };

/** The name and version of this program in every journal and report. */
export const SUITE = { name: packageJson.name, version: packageJson.version } as const;
