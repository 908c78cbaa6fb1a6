import type { Seams } from '../../reference-server/seams.ts';

/** Several behaviours as one: each wraps what those before it have built. */
export const composed = (parts: readonly Seams[]): Seams => parts.reduce(both, {});

function both(inner: Seams, outer: Seams): Seams {
  const { wrapStore, wrapIdentify, wrapLimiter, wrapService } = outer;
  const wrapBytes = outer.wrapBytes ?? inner.wrapBytes;
  return {
    wrapStore: (store) => applied(wrapStore, applied(inner.wrapStore, store)),
    wrapIdentify: (identify, context) =>
      applied(wrapIdentify, applied(inner.wrapIdentify, identify, context), context),
    wrapLimiter: (limiter, context) =>
      applied(wrapLimiter, applied(inner.wrapLimiter, limiter, context), context),
    wrapService: (handle, context) =>
      applied(wrapService, applied(inner.wrapService, handle, context), context),
    ...(wrapBytes === undefined ? {} : { wrapBytes }),
  };
}

const applied = <T, Context extends readonly unknown[]>(
  wrap: ((inner: T, ...context: Context) => T) | undefined,
  inner: T,
  ...context: Context
): T => (wrap === undefined ? inner : wrap(inner, ...context));
