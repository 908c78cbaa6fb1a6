import { spawnSync } from 'node:child_process';
import { described, evaluations } from './evaluations.ts';

// npm run evaluate -- NAME [ARGUMENT…]: one of the long evaluations, with the arguments of its program. Without a name
// it lists them. A variable that is set counts before that of the evaluation: FUZZ_RUNS=1000 for fewer texts.

const [name, ...args] = process.argv.slice(2);
const evaluation = name !== undefined && Object.hasOwn(evaluations, name) ? evaluations[name] : undefined;

if (evaluation === undefined) {
  if (name !== undefined) console.error(`There is no evaluation "${name}".`);
  console.log('npm run evaluate -- NAME [ARGUMENT…]\n');
  const width = Math.max(...Object.keys(evaluations).map((one) => one.length));
  for (const one of Object.keys(evaluations)) console.log(`  ${one.padEnd(width)}  ${described(one)}`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  const { program, env = {} } = evaluation;
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', ...program, ...args], {
    stdio: 'inherit',
    env: { ...env, ...process.env },
  });
  process.exitCode = status ?? 1;
}
