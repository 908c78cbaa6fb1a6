import { VERDICT_SIGNS } from '../outcome.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { badge } from './prose.ts';

/** How to read the report, for someone who meets one for the first time. */
export function guideSection(): Markup {
  return markup`<section aria-labelledby="guide">
<h2 id="guide">How to read this report</h2>
<dl class="meanings">
<dt>${badge('fail')}</dt><dd>The evidence contradicts the requirement. Only this accuses the target.</dd>
<dt>${badge('inconclusive')}</dt><dd>The question was asked, but the answer proves nothing; the reason says why.</dd>
<dt>${badge('warn')}</dt><dd>A SHOULD is not met. With <code>--strict</code> it counts as ${VERDICT_SIGNS.fail.word}.</dd>
<dt>${badge('pass')}</dt><dd>The evidence agrees with the requirement, as far as the cited exchanges reach.</dd>
<dt>${badge('not-tested')}</dt><dd>The question was not asked; the reason says what is needed to ask it.</dd>
</dl>
<p><strong>MUST</strong>: the specification states it. <strong>SHOULD</strong>: a duty of HTTP, or the strong one of two honest readings. An observation is something the specification leaves open.</p>
<p>The target <strong>conforms</strong> when no requirement is violated and no MUST is inconclusive, <strong>violates</strong> the specification when one is violated, and the run is <strong>incomplete</strong> otherwise.</p>
<p>Every request of a run has a number, its exchange. The verdicts rest on those exchanges and on nothing else: <code>petstore-conformance judge journal.ndjson</code> reaches them again without a network. A character that cannot be seen is written out, as in <code>⟨U+202E⟩</code> in pointed brackets; a long text is cut, with a note of how much is missing.</p>
</section>
`;
}
