import packageJson from '../package.json' with { type: 'json' };

/** The version of this program; every journal and report carries it. */
export const VERSION = packageJson.version;
