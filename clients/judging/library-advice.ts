import { headerValues } from '../../exchanges/headers.ts';
import type { Finding } from '../../suites/model/record.ts';
import { clientLibraries, libraryOf } from '../libraries/index.ts';
import type { ClientEvidence } from './evidence.ts';

/** What a library decides; the program decides what CLIENT-4 is about. */
const OF_LIBRARIES: readonly string[] = ['CLIENT-1', 'CLIENT-2', 'CLIENT-3'];

/**
 * How the library is set right that the client names in its User-Agent, one sentence for each; none where nothing
 * failed or warned that a library decides. It changes no verdict. No byte of the client is in the sentence.
 */
export function libraryAdvice(evidence: ClientEvidence, findings: readonly Finding[]): readonly string[] {
  const isAdvised = findings.some(
    ({ id, verdict }) => OF_LIBRARIES.includes(id) && (verdict === 'fail' || verdict === 'warn'),
  );
  if (!isAdvised) return [];
  const agents = evidence.requests.flatMap(({ exchange }) =>
    headerValues(exchange.request.headers, 'User-Agent'),
  );
  const known = new Set([...new Set(agents)].map(libraryOf));
  return clientLibraries
    .filter((one) => known.has(one))
    .map(
      ({ name, version, fix }) =>
        `By its User-Agent the client uses ${name}. How it is set right (proven with version ${version}): ${fix}`,
    );
}
