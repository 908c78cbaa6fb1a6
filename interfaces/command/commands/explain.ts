import { Command } from 'commander';
import { didYouMean } from '../../../kernel/basics/nearest.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import type { Page } from '../../handbook/page.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';

/** `explain`: the page of one entry of the register. */
export function explainCommand(terminal: Terminal): Command {
  return new Command('explain')
    .argument('<id>', 'id of a requirement, such as RATE-3, or of an expectation of load, such as NO-429')
    .option('--markdown', 'print Markdown')
    .addHelpText('after', EXAMPLES)
    .action(async (text: string, { markdown }: { readonly markdown?: boolean }) => {
      const page = await pageNamed(text.toUpperCase());
      // Loaded only here: the pages need the catalogue and every judge.
      const { pageLines, pageMarkdown } = await import('../../handbook/render.ts');
      print(terminal, ...(markdown === true ? [pageMarkdown(page).trimEnd()] : pageLines(page)));
    });
}

async function pageNamed(name: string): Promise<Page> {
  const { isThreshold, loadRegister, register } = await import('../../../spec/register.ts');
  const requirement = register.find(({ id }) => id === name);
  if (requirement !== undefined) {
    const { pageOf } = await import('../../handbook/page.ts');
    return pageOf(requirement.id);
  }
  const { expectationPage, thresholdPage } = await import('../../handbook/load.ts');
  const expectation = loadRegister.find(({ id }) => id === name);
  if (expectation !== undefined) return expectationPage(expectation.id);
  if (isThreshold(name)) return thresholdPage(name);
  const ids = [...register, ...loadRegister].map(({ id }) => id);
  throw new UserError(
    `There is no requirement "${name}": "petstore-conformance requirements" lists them.${didYouMean(name, ids)}`,
  );
}

const EXAMPLES = `
Examples:
  petstore-conformance explain RATE-3
  petstore-conformance explain CLIENT-1 --markdown > CLIENT-1.md
  petstore-conformance explain NO-429`;
