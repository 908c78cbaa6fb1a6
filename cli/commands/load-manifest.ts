import { Command } from 'commander';
import type { ManifestOptions } from '../load/write-manifests.ts';
import type { Terminal } from '../terminal.ts';
import { caOption, headerOption, plansOption, repeatable } from './options.ts';

/** `load manifest`: a profile as manifests for the k6 operator on Kubernetes. */
export function manifestCommand(terminal: Terminal): Command {
  return new Command('manifest')
    .description('write a profile as manifests for the k6 operator: one key, one runner')
    .argument('<profile>', 'the profile')
    .requiredOption('--target <url>', 'base address of the service, /v1 included')
    .requiredOption(
      '--keys <list>',
      'the Secret of each key: NAME=SECRET or NAME=SECRET/ENTRY, separated by commas',
    )
    .option('--plan <name>', "the keys' plan", 'free')
    .addOption(plansOption)
    .addOption(caOption)
    .addOption(headerOption)
    .option(
      '--header-secret <name=secret/entry>',
      'a header whose value is in a Secret; repeatable',
      repeatable,
    )
    .option('--namespace <name>', 'namespace of all manifests')
    .option('--prometheus <url>', 'remote-write address for the results')
    .option('--out <dir>', 'folder for the manifests, one file each (default: standard output)')
    .addHelpText('after', EXAMPLES)
    .action(async (profile: string, options: ManifestOptions) => {
      const { writeManifests } = await import('../load/write-manifests.ts');
      await writeManifests(profile, options, terminal);
    });
}

const EXAMPLES = `
One runner must send all requests of a key, so the profile is split by key: each
key becomes a TestRun with one runner, which reads the key from a Secret. Results
go to Prometheus. Verdicts need the samples of one machine: use "load" for
verdicts, and the dashboard for these runs.

Examples:
  petstore-conformance load manifest isolation --target https://staging.example.com/v1 \\
      --keys key=petstore-free-a,other=petstore-free-b --prometheus http://prometheus:9090/api/v1/write --out k8s
  petstore-conformance load manifest soak --plan pro --target https://staging.example.com/v1 \\
      --keys fleet-1=petstore-pro-1/token,fleet-2=petstore-pro-2/token | kubectl apply -f -`;
