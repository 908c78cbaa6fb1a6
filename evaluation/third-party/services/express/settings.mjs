const { env } = process;
const chosen = new Set((env.BREAK ?? '').split(','));

export const settings = {
  port: Number(env.PORT),
  minute: { limit: Number(env.PER_MINUTE), ms: Number(env.MINUTE_SECONDS) * 1000 },
  day: { limit: Number(env.PER_DAY), ms: Number(env.DAY_SECONDS) * 1000 },
  keys: (env.KEYS ?? '').split(','),
  exhausted: env.EXHAUSTED_KEY,
};

/** Whether the service is broken in one of these ways, or has one of these choices. */
export const is = (...ids) => ids.some((id) => chosen.has(id));

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
