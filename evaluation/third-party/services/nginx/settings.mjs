const { env } = process;
const chosen = new Set((env.BREAK ?? '').split(','));

export const settings = {
  port: Number(env.PORT),
  scratch: env.SCRATCH,
  minute: { limit: Number(env.PER_MINUTE), seconds: Number(env.MINUTE_SECONDS) },
  day: { limit: Number(env.PER_DAY), seconds: Number(env.DAY_SECONDS) },
  keys: [...(env.KEYS ?? '').split(','), env.EXHAUSTED_KEY],
  exhausted: env.EXHAUSTED_KEY,
};

/** Whether the house is broken in one of these ways, or has one of these choices. */
export const is = (...ids) => ids.some((id) => chosen.has(id));

/** The sockets of the processes behind nginx. */
export const backends = is('two-uncoordinated') ? ['a.sock', 'b.sock'] : ['a.sock'];
