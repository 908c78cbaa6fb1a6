import { startServer } from '../../reference-server/index.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { overHttp } from '../over-http.ts';
import type { Row } from './row.ts';

/** No examination that reaches the limit of 60, exceeds it once and looks once whether it came back needs fewer. */
const FLOOR = 62;

/** The most that an examination may take beyond the window that it has to wait for, in seconds. */
const BEYOND_WINDOW = 3;

/** Examines the reference server with the real window of a minute. Takes that minute. */
export async function measureExamination(): Promise<readonly Row[]> {
  const plans = loadPlans();
  const { minuteSeconds } = limitsOf(plans, 'free');
  const server = await startServer({ plans });
  try {
    const [key = '', other = ''] = server.keys.free;
    const { record, seconds } = await overHttp({ baseUrl: server.baseUrl, plans, keys: { key, other } });
    if (record.outcome !== 'conforms') throw new Error(`The reference server ${record.outcome}.`);
    const wall: Row = {
      name: `examination of the reference server: wall time (window ${minuteSeconds} s)`,
      figure: seconds,
      unit: ' s',
      aim: { is: 'at most', value: minuteSeconds + BEYOND_WINDOW },
    };
    return [
      {
        name: `keyed requests (${record.requests.keyed}) over the floor of ${FLOOR}`,
        figure: record.requests.keyed / FLOOR,
        unit: '',
        aim: { is: 'exactly', value: 1 },
      },
      wall,
    ];
  } finally {
    await server.close();
  }
}
