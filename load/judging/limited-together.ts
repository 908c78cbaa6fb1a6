import { isRateLimited } from '../../kernel/exchanges/outcome-kinds.ts';
import type { ScenarioEvidence } from './evidence.ts';

/** How probable a coincidence may be that is held against the target. */
const MOST_PROBABLE = 1e-6;

/**
 * The keys whose 429 responses begin with the first one of the loud key, unless that may be chance: then the loud key
 * explains them before limits do that no header shows. Those of the keys themselves, such as their days, may end at
 * any of their requests.
 */
export function limitedTogether(
  loud: ScenarioEvidence,
  others: readonly ScenarioEvidence[],
): readonly ScenarioEvidence[] {
  const together = others.filter((quiet) => beginsWith(loud, quiet));
  const chance = together.reduce((product, { exchanges }) => product / exchanges.length, 1);
  return chance <= MOST_PROBABLE ? together : [];
}

/**
 * Whether the first 429 of a key came to the first request that followed the first 429 of the loud key, or crossed it.
 * Over a new connection, a firewall that counts those of this machine may have sent it.
 */
function beginsWith(loud: ScenarioEvidence, quiet: ScenarioEvidence): boolean {
  const since = loud.exchanges.find(isRateLimited);
  const first = quiet.exchanges.find(isRateLimited);
  if (since === undefined || first === undefined || first.connection.fresh) return false;
  const next = quiet.exchanges.find(({ sent }) => sent.mono >= since.received.mono);
  return first.received.mono > since.sent.mono && first.n <= (next?.n ?? first.n);
}
