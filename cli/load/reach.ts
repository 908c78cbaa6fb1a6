import type { LoadOrder } from '../../load/run/command.ts';
import type { BanPolicy } from '../../reference-server/index.ts';
import { baseUrlText } from '../../suites/inputs/base-url.ts';
import { demoKey, serving } from '../subject.ts';
import type { LoadSettings } from './settings.ts';

/** How a target is loaded, and with whose keys. */
export type LoadReach = Pick<LoadOrder, 'baseUrl' | 'keys' | 'headers' | 'caFile'>;

/** Reaches what a run loads, starting the bundled server where that is it, and calls `use`; stops the server again. */
export async function reachingLoad<T>(
  settings: LoadSettings,
  use: (reach: LoadReach) => Promise<T>,
): Promise<T> {
  const { subject, plans, plan, fleet, caFile } = settings;
  if (subject.kind === 'target') {
    const { baseUrl, keys, headers } = subject.access;
    const { key, other, disposable } = keys;
    return use({
      baseUrl: baseUrlText(baseUrl),
      keys: {
        key,
        ...(other === undefined ? {} : { other }),
        ...(disposable === undefined ? {} : { disposable }),
        fleet,
      },
      headers,
      ...(caFile === undefined ? {} : { caFile }),
    });
  }
  return serving({ plans, ...subject.behaviour.server, ...banFor(settings) }, (server) => {
    // No profile has both another and a sacrificial caller, and both must be of the plan.
    const [key, second] = [demoKey(server.keys, plan, 0), demoKey(server.keys, plan, 1)];
    return use({
      baseUrl: server.baseUrl,
      keys: { key, other: second, disposable: second, fleet: [key, second] },
      headers: [],
    });
  });
}

/** Further requests after which the bundled server bans an offender, so that there is something to see. */
const PATIENCE = 5;

function banFor({ profile, inputs }: LoadSettings): { readonly ban?: BanPolicy } {
  if (profile.banRisk !== 'meant to') return {};
  return { ban: { after: PATIENCE, seconds: 2 * inputs.limits.minuteSeconds } };
}
