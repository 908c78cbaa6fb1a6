import { PROFILE_IDS, profiles } from '../../../load/profiles/index.ts';
import type { HelpTexts } from '../../options/command-line.ts';
import { columns } from '../terminal.ts';

export const NO_PROFILE = `load needs a profile: ${PROFILE_IDS.join(', ')}. "load --help-all" describes them; "load smoke" sends the fewest requests.`;

export const LOAD: HelpTexts = {
  examples: `  petstore-conformance load smoke
      loads the bundled server with few requests
  petstore-conformance load at-limit --target https://s.example.com/v1 --dry-run
      prints what would be sent to your service, and what blocks the run
  petstore-conformance load at-limit --target https://s.example.com/v1 \\
      --allow-host s.example.com
      loads it`,
  note: `Profiles: ${PROFILE_IDS.slice(0, 8).join(', ')},
  ${PROFILE_IDS.slice(8).join(', ')}

The key is read from PETSTORE_API_KEY, never from the command line. "load --help-all" has
every option, describes each profile and says what protects a shared target.`,
  details: `Profiles:
${columns(profiles.map(({ id, description }) => [`  ${id}`, description])).join('\n')}

Keys are read from environment variables or a file, never from the command line.
Loopback addresses need no confirmation. For any other host, confirm that you are
authorized to load it: with --allow-host, or with {"allowedHosts": ["staging.example.com"]}
in load.json in your configuration folder. Your state folder records what each key has
used of its day; a run that would exceed nine tenths of the day's quota does not start.

More examples:
  petstore-conformance load under --repeat 6 --out before
      make a set of runs for "compare"
  PETSTORE_API_KEY=… petstore-conformance load under --target https://stable.example.com/v1 \\
      --against https://canary.example.com/v1 --allow-host stable.example.com \\
      --allow-host canary.example.com --repeat 8
      run both in turn, and end with 1 where the second is worse`,
};
