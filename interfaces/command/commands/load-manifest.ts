import { Command } from 'commander';
import { withOptions } from '../../options/command-line.ts';
import type { ManifestOptions } from '../load/manifests.ts';
import type { Terminal } from '../terminal.ts';

/** `load manifest`: a profile as manifests for the k6 operator on Kubernetes. */
export function manifestCommand(terminal: Terminal): Command {
  return withOptions(new Command('manifest'), 'load manifest')
    .description('write a profile as manifests for the k6 operator: one test run with any number of runners')
    .argument('<profile>', 'the profile')
    .addHelpText('after', EXAMPLES)
    .action(async (profile: string, options: ManifestOptions) => {
      const { writeManifests } = await import('../load/manifests.ts');
      await writeManifests(profile, options, terminal);
    });
}

const EXAMPLES = `
Every runner takes the keys of its execution segment, so all requests of a key come from one
runner. Keys stay in Secrets. Each runner keeps its samples in a folder of its own; "judge"
judges them together.

Examples:
  kubectl create secret generic petstore-keys --from-file=keys.csv
  petstore-conformance load manifest soak --target https://staging.example.com/v1 \\
      --keys-file keys.csv --keys-secret petstore-keys --parallelism 4 --samples-claim petstore-samples --out k8s
  kubectl apply -f k8s
  petstore-conformance judge k8s/run/load-run.json samples --out out/soak

  petstore-conformance load manifest isolation --target https://staging.example.com/v1 \\
      --keys key=petstore-free-a,other=petstore-free-b --samples-claim petstore-samples --out k8s`;
