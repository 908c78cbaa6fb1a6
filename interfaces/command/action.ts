import { appendFileSync } from 'node:fs';
import { main } from './main.ts';

/**
 * The entry of the action of GitHub (`action.yml`): its inputs as options of `certify`, its result as outputs. A runner
 * gives each input as a variable; the keys are in the environment of the step, and never among the inputs.
 */

const input = (name: string): string => process.env[`INPUT_${name.toUpperCase()}`] ?? '';

const out = input('out') || 'conformance';

/** An output ends with its line, so that a value with a line feed would write the next one. */
if (/[\r\n]/.test(out)) {
  console.error('petstore-conformance: the input "out" takes the path of one folder, without line ends.');
  process.exit(2);
}

const named = ['target', 'plan', 'config', 'baseline'].flatMap((name) =>
  input(name) === '' ? [] : [`--${name}`, input(name)],
);
const further = input('options')
  .split('\n')
  .map((option) => option.trim())
  .filter((option) => option !== '');

process.on('exit', (code) => {
  const outputs = process.env['GITHUB_OUTPUT'];
  if (outputs !== undefined) appendFileSync(outputs, `exit-code=${code}\nreport=${out}/report.json\n`);
});

await main([process.execPath, 'petstore-conformance', 'certify', '--out', out, ...named, ...further]);
