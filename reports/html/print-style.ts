import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

/** How every page is printed. */
export const printStyle: Markup = markup`
@page { size: A4; margin: 15mm 15mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; } }
@media print {
  body { font-size: 9pt; line-height: 1.4; }
  body > * { max-width: none; padding-inline: 0; }
  nav, .skip, .print-choice, .filter { display: none; }
  h2 { margin-top: 1.5rem; }
  thead, .cause-row, h2, h3, figcaption { break-after: avoid; }
  tr, .counts { break-inside: avoid; }
  .exchange { content-visibility: visible; }
  .cited::details-content, .exchange::details-content { content-visibility: visible; block-size: auto; }
}
`;

/**
 * What a printed report consists of, on two pages of A4: the certificate, then the summary on a page of its own. A
 * certificate with more to say than one page holds goes on to the second one, and the summary follows without the
 * picture of the run. No text is smaller than 8 pt. The rest is printed where a reader has asked for the evidence; a
 * browser that does not know `:has` prints everything.
 */
export const summaryPrintStyle: Markup = markup`
@media print {
  :root { font-size: 9pt; }
  .masthead { padding-top: 0; }
  :is(.quiet, code, .facts dt, .parts dt, thead th, caption, figcaption, .level, .canvas) { font-size: 8pt; }
  .certificate:not(.crowded) { break-after: page; } .certificate section { break-inside: avoid; }
  .certificate .facts { grid-template-columns: repeat(4, 1fr); gap: 0.6rem 1.25rem; } .certificate > .facts > :has(code) { grid-column: span 2; }
  .certificate .provenance .facts { gap: 0; } .certificate .provenance .facts > div { line-height: 1.25; }
  .certificate h2 { margin-top: 1rem; }
  .run .canvas { zoom: 0.75; } .run .canvas text { font-size: 14.3px; }
  .glance > h2 { margin-top: 0; padding-top: 0; border: 0; } .certificate.crowded ~ main .glance > h2 { margin-top: 1.5rem; }
  .glanced :is(th, td) { padding-block: 0.15rem; }
  .tested :is(th, td) { padding-block: 0.05rem; }
  body:not(:has(#print-all:checked)) :is(main > section:not(.glance, .run), .glance.crowded + .run, .certificate.crowded ~ main .run, .run .plot + .plot, footer) { display: none; }
}
`;

/** Without it, printing gives the certificate and the summary behind it (`summaryPrintStyle`). */
export const printChoice: Markup = markup`<p class="print-choice"><label><input type="checkbox" id="print-all"> Print the whole report</label> <span class="quiet">(otherwise two pages: the certificate and the summary)</span></p>
`;
