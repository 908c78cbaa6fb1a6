import { Command } from 'commander';
import type { RequirementId } from '../../spec/register.ts';
import { nearest } from '../../words/nearest.ts';
import { UserError } from '../../words/user-error.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';

/** `explain`: the page of one requirement. */
export function explainCommand(terminal: Terminal): Command {
  return new Command('explain')
    .argument('<id>', 'id of a requirement, such as RATE-3')
    .option('--markdown', 'print Markdown')
    .addHelpText('after', EXAMPLES)
    .action(async (text: string, { markdown }: { readonly markdown?: boolean }) => {
      const id = await readId(text);
      // Loaded only here: the pages need the catalogue and every judge.
      const { pageLines, pageMarkdown, pageOf } = await import('../../handbook/index.ts');
      const page = pageOf(id);
      print(terminal, ...(markdown === true ? [pageMarkdown(page).trimEnd()] : pageLines(page)));
    });
}

async function readId(text: string): Promise<RequirementId> {
  const { register } = await import('../../spec/register.ts');
  const ids = register.map(({ id }) => id);
  const found = ids.find((id) => id === text.toUpperCase());
  if (found !== undefined) return found;
  const likely = nearest(text.toUpperCase(), ids);
  const hint = likely === undefined ? '' : ` Did you mean ${likely}?`;
  throw new UserError(
    `There is no requirement "${text}": "petstore-conformance requirements" lists them.${hint}`,
  );
}

const EXAMPLES = `
Examples:
  petstore-conformance explain RATE-3
  petstore-conformance explain CLIENT-1 --markdown > CLIENT-1.md`;
