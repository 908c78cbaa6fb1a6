import { pageOf } from '../../handbook/page.ts';
import { pageMarkdown } from '../../handbook/render.ts';
import { register } from '../../spec/register.ts';

const FOLDER = 'docs/requirements';

/** The page of every requirement as a file, with links that work in the repository, and their list. */
export function requirementPages(): readonly (readonly [file: string, text: string])[] {
  const pages = register.map(({ id }) => [`${FOLDER}/${id}.md`, linked(pageMarkdown(pageOf(id)))] as const);
  return [...pages, [`${FOLDER}/README.md`, list()] as const];
}

/** The places that a page names as links. */
const linked = (text: string): string =>
  text
    .replaceAll(/\((interface-specification\.md#[\w-]+)\)/g, '([$1](../../spec/$1))')
    .replaceAll(/^- (.+) \((rate-limits\/BOUNDS\.md#[\w-]+)\)$/gm, '- [$1](../../$2)');

function list(): string {
  const chapters = [...new Set(register.map(({ chapter }) => chapter))];
  const parts = chapters.map((chapter) => {
    const items = register
      .filter((one) => one.chapter === chapter)
      .map(({ id, level, sentence }) => `- [${id}](${id}.md) (${level}): ${sentence}`);
    return `## ${chapter}\n\n${items.join('\n')}`;
  });
  return `# Every requirement\n\nOne page each: what it rests on, how it is judged, which faults it finds, and how to fix a violation. \`npx --no-install petstore-conformance explain ID\` prints the same page.\n\n${parts.join('\n\n')}\n`;
}
