/** A variable of the environment. */
export const env = (name) => process.env[name] ?? '';

/** Whether one of these breaks is chosen. */
export const broken = (...ids) => ids.includes(env('BREAK'));
