import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

/** Without it, printing gives the certificate and the summary behind it (`summaryPrintStyle`). */
export const printChoice: Markup = markup`<p class="print-choice"><label><input type="checkbox" id="print-all"> Print the whole report</label> <span class="quiet">(otherwise two pages: the certificate and the summary)</span></p>
`;
