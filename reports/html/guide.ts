import { CORE, furtherLevels } from '../../spec/levels.ts';
import { VERDICT_SIGNS } from '../outcome.ts';
import { markup } from '../written.ts';
import type { Section } from './document.ts';
import { badge } from './prose.ts';

/** What the levels consist of. */
const LEVELS = ` The result names the levels that were tested in full: ${CORE} (every MUST that one key can test), ${furtherLevels.map(({ name, requirements }) => `${name} (${requirements.join(', ')})`).join(', ')}.`;

/** How to read the report, for someone who meets one for the first time. */
export function guideSection(noun: 'target' | 'client'): Section {
  return {
    id: 'guide',
    title: 'How to read this',
    classes: 'more',
    content: markup`<dl class="meanings">
<dt>${badge('fail')}</dt><dd>The evidence contradicts the requirement. Only this verdict counts against the ${noun}.</dd>
<dt>${badge('inconclusive')}</dt><dd>The requirement was tested, but the evidence proves nothing; the reason says why.</dd>
<dt>${badge('warn')}</dt><dd>A SHOULD is violated, or a MUST under one of two plausible readings. With <code class="whole">--strict</code> it counts as ${VERDICT_SIGNS.fail.word}.</dd>
<dt>${badge('pass')}</dt><dd>The evidence agrees with the requirement, as far as the cited exchanges show.</dd>
<dt>${badge('not-tested')}</dt><dd>The requirement was not tested; the reason says what is needed.</dd>
</dl>
<p><strong>MUST</strong>: the specification states it. <strong>SHOULD</strong>: HTTP requires it, or it is the stricter of two plausible readings of the specification. An observation is about something that the specification leaves open.</p>
<p>The ${noun} <strong>violates</strong> the specification when a requirement fails. It <strong>conforms</strong> when no requirement of a complete run fails and no MUST is inconclusive.${noun === 'target' ? LEVELS : ''} A partial run answers for its selection alone: its outcome is <strong>partial</strong> and never says that the ${noun} conforms. Otherwise the run is <strong>incomplete</strong>.</p>
<p>Each request with its response is an exchange and has a number. Probes are short sequences of requests, each for one purpose. A window is the time in which a limit counts: a minute, or a day.</p>
<p> The verdicts rest on the exchanges alone: <code>petstore-conformance judge journal.ndjson</code> reaches them again without a network. Invisible characters are written out, as in <code>⟨U+202E⟩</code>; a long text is cut, with a note of how much is missing.</p>
`,
  };
}
