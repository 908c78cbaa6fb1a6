import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createConfig, getLineColLocation, lint } from '@redocly/openapi-core';

const description = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));

/**
 * Lints an OpenAPI document with Redocly's `recommended` rules. No rule is switched off and no problem is
 * exempt. It reads the document and the files that it refers to, and sends no requests.
 * @returns its problems, each with its line from 1 and the linter's name of the rule, such as `operation-summary`.
 * @param path the document; without it, `spec/openapi.yaml`.
 */
export async function lintDescription(path = description) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: path, config });
  return problems.map(({ location, severity, ruleId, message }) => {
    const [place] = location;
    const line = place === undefined ? 1 : getLineColLocation(place).start.line;
    return { line, severity, rule: ruleId, message };
  });
}

async function main(): Promise<void> {
  const findings = await lintDescription();
  for (const { line, severity, rule, message } of findings) {
    process.stdout.write(`spec/openapi.yaml:${line} ${severity} ${rule}: ${message}\n`);
  }
  process.stdout.write(`spec/openapi.yaml: ${findings.length} findings under the recommended rules\n`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
