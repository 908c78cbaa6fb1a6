import { pageOf } from '../../interfaces/handbook/page.ts';
import { pageMarkdown } from '../../interfaces/handbook/render.ts';
import { register } from '../../spec/register.ts';

const FOLDER = 'docs/requirements';

/** The pages of the requirements, those of a chapter in one file, with links that work in the repository, and their list. */
export function requirementPages(): readonly (readonly [file: string, text: string])[] {
  const pages = chapters().map((chapter) => {
    const own = register.filter((one) => one.chapter === chapter).map(({ id }) => pageMarkdown(pageOf(id)));
    const text = `# ${chapter}\n\n${own.map((page) => page.replaceAll(/^#/gm, '##').trimEnd()).join('\n\n')}\n`;
    return [`${FOLDER}/${fileOf(chapter)}`, linked(text)] as const;
  });
  return [...pages, [`${FOLDER}/README.md`, list()] as const];
}

const chapters = (): readonly string[] => [...new Set(register.map(({ chapter }) => chapter))];

/** `Media and HTTP` is in `media-and-http.md`. */
const fileOf = (chapter: string): string => `${chapter.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.md`;

/** The places that a page names as links. */
const linked = (text: string): string =>
  text
    .replaceAll(/\((interface-specification\.md#[\w-]+)\)/g, '([$1](../../spec/$1))')
    .replaceAll(/^- (.+) \((kernel\/rate-limits\/BOUNDS\.md#[\w-]+)\)$/gm, '- [$1](../../$2)');

function list(): string {
  const parts = chapters().map((chapter) => {
    const items = register
      .filter((one) => one.chapter === chapter)
      .map(
        ({ id, level, sentence }) =>
          `- [${id}](${fileOf(chapter)}#${id.toLowerCase()}) (${level}): ${sentence}`,
      );
    return `## ${chapter}\n\n${items.join('\n')}`;
  });
  return `# Every requirement\n\nOne section each: what it rests on, how it is judged, which faults it finds, and how to fix a violation. \`npx --no-install petstore-conformance explain ID\` prints the same.\n\n${parts.join('\n\n')}\n`;
}
