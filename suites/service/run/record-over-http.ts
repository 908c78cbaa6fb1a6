import { requestBounds } from '../inputs/bounds.ts';
import { systemClock } from '../wire/clock.ts';
import { HttpWire } from '../wire/http-wire.ts';
import type { RunEquipment } from './record-run.ts';
import { recordRun } from './record-run.ts';
import type { RunSettings } from './run-settings.ts';

/**
 * Runs the probes over real sockets and in real time.
 * @throws what `recordRun` throws.
 */
export function recordOverHttp(
  settings: RunSettings,
  equipment: Pick<RunEquipment, 'journal' | 'signal'>,
): Promise<void> {
  const { baseUrl, certificateAuthority, clientCertificate, proxied } = settings.target;
  const wire = new HttpWire({
    baseUrl,
    clock: systemClock,
    ...requestBounds(settings.plan.inputs.limits),
    proxied,
    ca: certificateAuthority,
    clientCertificate,
  });
  return recordRun(settings, { ...equipment, wire, clock: systemClock });
}
