import { listRequest } from './category-requests.ts';
import type { Probe } from './probe.ts';

const steps = { list: 'list at the end of the requests with the key' } as const;

/**
 * The list after every creation, in a run of selected requirements that does not exhaust the quota. A complete run has
 * the list of `recovery` there.
 */
export const closingList: Probe<typeof steps> = {
  id: 'closing-list',
  description: 'the list after every creation, where the run does not exhaust the quota',
  steps,
  cost: () => ({ withKey: 1 }),
  async run(pacer) {
    await pacer.sendWithKeyAndRetry(steps.list, listRequest({ route: 'new' }));
  },
};
