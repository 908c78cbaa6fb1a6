import { posix } from 'node:path';
import type { Folder } from './boundaries.ts';

/**
 * Every folder, each with those in it, lowest first, and the folders that it may import from. `main.ts` fails where a file
 * imports from another one; tests are exempt, because they check folders against each other. A pure folder has no
 * network, no files, no clock and no environment. What is unknown above is not imported by the folder around it.
 */
const FOLDERS = `
spec: kernel/basics
  because every folder is built on it
kernel, pure:
  because each of its folders has a row of its own
kernel/basics:
  because every folder uses it
kernel/exchanges, pure: kernel/basics spec
  because suites and load both read exchanges with it
kernel/recording: kernel/basics
  because both halves of the certificate record, each with lines of its own
kernel/usage-ledger: kernel/basics spec
  because certify and load both write to it
kernel/rate-limits, pure: nouns
  because suites and load both judge with it, and neither owns it
kernel/findings, pure: nouns
  because suites and load judge with it, reports and every interface read it
suites, pure:
  because each of its folders has a row of its own
suites/service: kernel spec
  because suites and the reference server share no code, so that they cannot share a mistake
suites/service/model, pure: nouns kernel/recording kernel/findings
  because reports and judges work without a network
suites/service/wire: nouns kernel/recording kernel/findings ../model
  because it sends what it is given and decides nothing
suites/service/pacing: limits kernel/findings ../model ../wire
  because it knows requests and limits, not what they are for
suites/service/probes: limits kernel/findings ../model ../wire ../pacing
  because a probe sends and does not judge
suites/service/evidence, pure: limits kernel/findings ../model ../probes
  because a requirement is judged on recorded exchanges alone
suites/service/requirements, pure: limits kernel/findings ../model ../probes ../evidence
  because a requirement is judged on recorded exchanges alone; it names probes and never sends
suites/service/judge, pure: limits kernel/findings ../model ../probes ../evidence ../requirements
  because a journal is judged the same way today and years later
suites/service/run: limits kernel/recording kernel/usage-ledger kernel/findings ../model ../wire ../pacing ../probes ../requirements ../inputs
  because a run records and does not judge
suites/service/inputs: nouns kernel/recording kernel/findings ../model ../wire ../probes ../evidence
  because the command and Playwright read the same inputs
suites/client: nouns kernel/recording kernel/findings
  because the two halves of the certificate share nouns alone
suites/client/model, pure: nouns kernel/recording kernel/findings
  because judges and reports work without a network
suites/client/scenarios, pure: nouns ../model
  because a scenario is data: the service plays it, and judges name it
suites/client/service: nouns kernel/recording ../model ../scenarios
  because it shares no code with the judges, so that they cannot share a mistake
suites/client/libraries, pure:
  because it is data about programs of others
suites/client/watch: nouns kernel/recording ../model ../scenarios ../service
  because it records and does not judge
suites/client/judging, pure: nouns kernel/findings suites/service/model suites/service/evidence ../model ../scenarios ../libraries
  because a journal is judged the same way today and years later
reference-server: kernel/basics spec
  because it knows nothing of the catalogue, and shares no code with suites so that they cannot share a mistake
reference-server/catalogue, unknown above: kernel/basics spec reference-server
  because the suites must not know what it breaks
load: limits kernel/findings kernel/recording kernel/usage-ledger
  because load does not depend on a certification run
load/model, pure: nouns kernel/findings
  because Node and k6 both read it
load/profiles, pure: nouns kernel/usage-ledger ../model
  because Node and k6 both read it
load/judging, pure: limits kernel/findings ../model ../profiles
  because a load run is judged with the same arithmetic as a certification run, on what was recorded
reports: nouns kernel/findings suites/service/model suites/client/model load/model
  because a report shows a record: it never talks to a target and never judges
interfaces, pure:
  because each of its folders has a row of its own
interfaces/command: kernel spec suites load reports reference-server ../options ../run ../certificate ../handbook
  because the product does not depend on its laboratory
interfaces/options: nouns suites/service
  because every interface takes its options from it, and none owns it
interfaces/run: kernel spec suites/service load/model reports ../options
  because a run goes the same way whoever starts it
interfaces/playwright: kernel spec suites/service reports ../options ../run
  because it presents what suites recorded and judged, and writes the same reports as the command
interfaces/library: kernel spec suites/service reports reference-server ../options ../run
  because it offers what the command does to other programs, without printing
interfaces/certificate: nouns kernel/findings suites/service/model suites/service/inputs suites/service/probes
  because what it verifies is judged again by whoever calls it
interfaces/handbook: kernel spec suites load reference-server/catalogue
  because it describes requirements and runs nothing
evaluation: everything
tools: everything
`;

/** Names for several folders: the nouns that every folder may use, and these with the arithmetic of rate limits. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  nouns: ['kernel/basics', 'spec', 'kernel/exchanges'],
  limits: ['kernel/basics', 'spec', 'kernel/exchanges', 'kernel/rate-limits'],
};

const ROW = /^(?<path>[\w/-]+)(?<marks>(?:, [a-z ]+)?):(?<imports>.*)(?:\n {2}because (?<because>.+))?$/gm;

export const folders: readonly Folder[] = [...FOLDERS.matchAll(ROW)].map(({ groups = {} }) => {
  const { path = '', marks = '', imports = '', because = '' } = groups;
  return {
    path,
    because,
    imports: imports
      .split(' ')
      .filter((name) => name !== '')
      .flatMap((name) => NAMED[name] ?? (name.startsWith('../') ? posix.join(path, name) : name)),
    pure: marks === ', pure',
    unknownAbove: marks === ', unknown above',
  };
});
