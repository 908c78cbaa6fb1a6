import { describeVariants } from '../../reference-server/catalogue/variants/index.ts';
import type { Topic } from '../../reference-server/catalogue/variants/topics.ts';
import { topics as variantTopics } from '../../reference-server/catalogue/variants/topics.ts';
import { table } from './blocks.ts';

const list = (ids: readonly string[]): string => ids.join(', ') || '–';

/** All conforming variants, and where the topics are tested that have none. */
export function variants(): string {
  const shown = describeVariants().map(
    ({ id, topic, description, outcome, warnings, inconclusive, because, seenIn }) => [
      topic,
      `\`${id}\``,
      description,
      outcome,
      list(warnings),
      because === null ? '–' : `${list(inconclusive)}: ${because}`,
      seenIn,
    ],
  );
  const elsewhere = Object.entries<Topic>(variantTopics).flatMap(([topic, { title, testedElsewhere }]) =>
    testedElsewhere === undefined ? [] : [[topic, title, testedElsewhere]],
  );
  return [
    table(
      ['Topic', 'Variant', 'What the server does', 'Expected outcome', 'warn', 'inconclusive', 'Seen in'],
      shown,
    ),
    'Topics without a variant of their own:',
    table(['Topic', 'About', 'Tested by'], elsewhere),
  ].join('\n\n');
}
