import { Command } from 'commander';
import type { ManifestOptions } from '../load/manifest-options.ts';
import type { Terminal } from '../terminal.ts';
import { caOption, exclusiveKeyOption, headerOption, plansOption, repeatable } from './options.ts';

/** `load manifest`: a profile as manifests for the k6 operator on Kubernetes. */
export function manifestCommand(terminal: Terminal): Command {
  return new Command('manifest')
    .description('write a profile as manifests for the k6 operator: one test run with any number of runners')
    .argument('<profile>', 'the profile')
    .optionsGroup('Target and key:')
    .requiredOption('--target <url>', 'base address of the service, including /v1')
    .option('--plan <name>', 'plan of the keys, where the key file names none', 'free')
    .addOption(plansOption)
    .addOption(caOption)
    .addOption(headerOption)
    .option(
      '--header-secret <name=secret/entry>',
      'a header whose value is in a Secret; repeatable',
      repeatable,
    )
    .optionsGroup('Keys of the profile:')
    .option(
      '--keys <list>',
      'the Secrets of the keys (key, other, disposable), separated by commas: NAME=SECRET or NAME=SECRET/ENTRY',
    )
    .option(
      '--keys-file <file>',
      'file with all keys of a fleet, one on each line: KEY or KEY,PLAN; it is read for their number and plans only',
    )
    .option('--keys-secret <secret>', 'the Secret that holds the same file: SECRET or SECRET/ENTRY')
    .addOption(exclusiveKeyOption)
    .optionsGroup('Runners and samples:')
    .option('--parallelism <n>', 'how many runners share the keys', '1')
    .option('--samples-claim <name>', 'volume claim for the samples, to which all runners can write')
    .option('--samples-s3 <bucket/prefix>', 'storage for the samples that speaks S3')
    .option(
      '--samples-s3-secret <name>',
      'the Secret with its settings, as variables of rclone (RCLONE_S3_…)',
    )
    .option('--prometheus <url>', 'remote-write address for the results')
    .optionsGroup('Options:')
    .requiredOption('--out <dir>', 'folder for the manifests and for the file that "load judge" needs')
    .option('--namespace <name>', 'namespace of all manifests')
    .addHelpText('after', EXAMPLES)
    .action(async (profile: string, options: ManifestOptions) => {
      const { writeManifests } = await import('../load/write-manifests.ts');
      await writeManifests(profile, options, terminal);
    });
}

const EXAMPLES = `
Every runner takes the keys of its execution segment, so all requests of a key come from one
runner. Keys stay in Secrets. Each runner keeps its samples in a folder of its own; "load judge"
judges them together.

Examples:
  kubectl create secret generic petstore-keys --from-file=keys.csv
  petstore-conformance load manifest soak --target https://staging.example.com/v1 \\
      --keys-file keys.csv --keys-secret petstore-keys --parallelism 4 --samples-claim petstore-samples --out k8s
  kubectl apply -f k8s
  petstore-conformance load judge k8s/run/load-run.json samples --out out/soak

  petstore-conformance load manifest isolation --target https://staging.example.com/v1 \\
      --keys key=petstore-free-a,other=petstore-free-b --samples-claim petstore-samples --out k8s`;
