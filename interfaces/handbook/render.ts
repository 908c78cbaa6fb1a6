import type { Page, Section } from './page.ts';

/** A page as Markdown. Its texts are our own, so nothing is escaped. */
export function pageMarkdown({ id, sentence, sections }: Page): string {
  const parts = sections.map((section) => `## ${section.title}\n\n${markdownBody(section)}`);
  return `${[`# ${id}`, `**${sentence}**`, ...parts].join('\n\n')}\n`;
}

const markdownBody = (section: Section): string =>
  section.kind === 'text' ? section.text : section.items.map((item) => `- ${item}`).join('\n');

/** A page as lines for a terminal, without the marks of Markdown. */
export function pageLines({ id, sentence, sections }: Page): readonly string[] {
  return [
    `${id}: ${plain(sentence)}`,
    ...sections.flatMap((section) => ['', section.title, ...bodyLines(section)]),
  ];
}

const bodyLines = (section: Section): readonly string[] =>
  section.kind === 'text' ? [`  ${plain(section.text)}`] : section.items.map((item) => `  - ${plain(item)}`);

const plain = (text: string): string => text.replaceAll('`', '');
