import { Command } from 'commander';
import { UserError } from '../../../kernel/basics/errors.ts';
import { COMMAND, didYouMean } from '../../../kernel/basics/text.ts';
import type { Page } from '../../handbook/page.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';

interface ExplainOptions {
  readonly markdown?: boolean;
  readonly json?: boolean;
}

/** `explain`: the page of one entry of the register, or the list of all. */
export function explainCommand(terminal: Terminal): Command {
  return new Command('explain')
    .argument(
      '[id]',
      'id of a requirement, such as RATE-3, or of an expectation of load, such as NO-429; without it, every id is listed',
    )
    .option('--markdown', 'print the page as Markdown')
    .option('--json', 'print the list as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (text: string | undefined, { markdown, json }: ExplainOptions) => {
      if (text === undefined) {
        const { listRequirements } = await import('../listings.ts');
        return listRequirements(terminal, json === true);
      }
      const page = await pageNamed(text.toUpperCase());
      // Loaded only here: the pages need the catalogue and every judge.
      const { pageLines, pageMarkdown } = await import('../../handbook/page.ts');
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
  const { expectationPage, thresholdPage } = await import('../../handbook/page.ts');
  const expectation = loadRegister.find(({ id }) => id === name);
  if (expectation !== undefined) return expectationPage(expectation.id);
  if (isThreshold(name)) return thresholdPage(name);
  const ids = [...register, ...loadRegister].map(({ id }) => id);
  throw new UserError(
    `There is no requirement "${name}": "${COMMAND} explain" lists them.${didYouMean(name, ids)}`,
  );
}

const EXAMPLES = `
Examples:
  petstore-conformance explain
  petstore-conformance explain RATE-3
  petstore-conformance explain CLIENT-1 --markdown > CLIENT-1.md
  petstore-conformance explain NO-429`;
