import type { RequirementId } from '../../spec/register.ts';
import type { ClientRunLine } from '../model/journal.ts';

/**
 * The command that tests a requirement again; undefined for an attached client, which a person started. Words are in
 * single quotes where a shell would read them otherwise.
 */
export function repeatCommand({ client }: ClientRunLine, id: RequirementId): string | undefined {
  if (client.kind === 'attached') return undefined;
  const remote = client.where === 'another host' ? ' --remote' : '';
  return `petstore-conformance certify-client --only ${id}${remote} -- ${client.words.map(shellWord).join(' ')}`;
}

const shellWord = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
