/**
 * Loaded before a program under examination: localhost resolves as often as LOOKUPS says, and is unknown
 * from then on, as after a zone that was taken down.
 */
import dns from 'node:dns';

const lookup = dns.lookup;
let left = Number(process.env.LOOKUPS);

dns.lookup = (hostname, options, callback) => {
  left -= 1;
  if (left >= 0) return lookup(hostname, options, callback);
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
  return process.nextTick(callback, error);
};
