/**
 * The base address that was probably meant, from the sentence of the
 * specification: base addresses "end in the segment `/v1`".
 */
export interface LikelyBase {
  /** The address, without a slash at its end. */
  readonly address: string;
  /** The path below the given base address at which it can be asked, or undefined where it lies elsewhere. */
  readonly below: string | undefined;
}

/**
 * The likeliest base address for one that does not answer like the service;
 * undefined where the given one already ends in `/v1` and holds it once.
 */
export function likelyBase(baseUrl: string): LikelyBase | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const { origin, pathname } = new URL(baseUrl);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const at = segments.findIndex((segment) => segment.toLowerCase() === 'v1');
  if (at !== -1) {
    const address = [origin, ...segments.slice(0, at), 'v1'].join('/');
    return address === [origin, ...segments].join('/') ? undefined : { address, below: undefined };
  }
  const resource = segments.indexOf('categories');
  if (resource !== -1) {
    return { address: [origin, ...segments.slice(0, resource), 'v1'].join('/'), below: undefined };
  }
  return { address: [origin, ...segments, 'v1'].join('/'), below: '/v1' };
}
