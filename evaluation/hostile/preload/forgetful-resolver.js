/**
 * Loaded before the program under test. localhost resolves LOOKUPS times and is unknown from then on, as after
 * the removal of a DNS zone.
 */
import dns from 'node:dns';

const lookup = dns.lookup;
let lookupsLeft = Number(process.env.LOOKUPS);

dns.lookup = (hostname, options, callback) => {
  lookupsLeft -= 1;
  if (lookupsLeft >= 0) return lookup(hostname, options, callback);
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
  return process.nextTick(callback, error);
};
