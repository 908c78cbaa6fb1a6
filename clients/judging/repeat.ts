import type { RequirementId } from '../../spec/register.ts';
import { shellWord } from '../../words/shell-word.ts';
import type { ClientRunLine } from '../model/journal.ts';

/** The command that tests a requirement again; undefined for an attached client, which a person started. */
export function repeatCommand({ client }: ClientRunLine, id: RequirementId): string | undefined {
  if (client.kind !== 'command') return undefined;
  const remote = client.where === 'another host' ? ' --remote' : '';
  return `petstore-conformance certify-client --only ${id}${remote} -- ${client.words.map(shellWord).join(' ')}`;
}
