import type { RecordedJob } from '../../../load/run/record-load.ts';
import type { BanPolicy } from '../../../reference-server/limiters/ban.ts';
import { baseUrlText } from '../../../suites/service/inputs/base-url.ts';
import { demoKey, serving } from '../subject.ts';
import type { LoadSettings } from './settings.ts';

/** The address, keys and connection settings of a target for k6. */
export type LoadTarget = Pick<
  RecordedJob,
  'baseUrl' | 'bundled' | 'keys' | 'headers' | 'caFile' | 'clientCertificate'
>;

/** Calls `use` with the targets of these settings, in their order. */
export async function withLoadTargets<T>(
  [first, ...others]: readonly LoadSettings[],
  use: (targets: readonly LoadTarget[]) => Promise<T>,
): Promise<T> {
  if (first === undefined) return use([]);
  return withLoadTarget(first, (target) => withLoadTargets(others, (further) => use([target, ...further])));
}

/** Calls `use` with the target of a run; starts the bundled server before and stops it afterwards where that is the target. */
async function withLoadTarget<T>(
  settings: LoadSettings,
  use: (target: LoadTarget) => Promise<T>,
): Promise<T> {
  const { subject, plans, plan, fleet, keysFile, caFile } = settings;
  if (subject.kind === 'target') {
    const { baseUrl, keys, headers, clientCertificate } = subject.access;
    const { key, other, disposable } = keys;
    const file = keysFile === undefined ? undefined : { path: keysFile, plan };
    return use({
      baseUrl: baseUrlText(baseUrl),
      keys: { key, other, disposable, fleet, file },
      ...{ headers, caFile, clientCertificate },
    });
  }
  return serving({ plans, ...subject.behaviour.server, ...banFor(settings) }, (server) => {
    // No profile uses both the other and the disposable key, and both must belong to the plan.
    const [key, second] = [demoKey(server.keys, plan, 0), demoKey(server.keys, plan, 1)];
    return use({
      baseUrl: server.baseUrl,
      keys: { key, other: second, disposable: second, fleet: [key, second] },
      headers: [],
      bundled: true,
    });
  });
}

/** Requests despite 429 after which the bundled server bans an offender, so that a ban can be observed. */
const BAN_AFTER = 5;

function banFor({ profile, inputs }: LoadSettings): { readonly ban?: BanPolicy } {
  if (profile.banRisk !== 'intended') return {};
  return { ban: { after: BAN_AFTER, seconds: 2 * inputs.limits.minuteSeconds } };
}
