import packageJson from '../../package.json' with { type: 'json' };

/** This program, as every journal and report names it. */
export const SUITE = { name: packageJson.name, version: packageJson.version } as const;
