import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

/**
 * How every page is printed: as a summary, without what is marked as `more`, unless a reader asks for all of it. No
 * text is smaller than 8 pt. Findings are in two columns and keep their first lines; where there are many, the picture
 * gives way to them. A browser that does not know `:has` prints everything.
 */
export const printStyle: Markup = markup`
@page { size: A4; margin: 13mm 14mm 15mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; } }
@media print {
  :root { font-size: 9pt; }
  body { font-size: 8.5pt; line-height: 1.35; }
  body > * { max-width: none; padding-inline: 0; }
  :is(.quiet, code, pre, .level, .count, .canvas, summary, figcaption, caption, dt, thead th) { font-size: 8pt !important; }
  nav, .skip, .filter, summary, .wide::before { display: none; }
  .masthead { padding-top: 0; } h1 { font-size: 14pt; } h2 { font-size: 10.5pt; margin: 0.6rem 0 0.25rem; padding-top: 0.4rem; } h3, .cause > h3 { font-size: 9pt; }
  thead, h2, h3, figcaption, .cause > p { break-after: avoid; }
  .finding h3 { break-after: auto; }
  tr, .counts, .finding, .untested dd, .facts > div, .plot { break-inside: avoid; }
  .wide { overflow: visible; } main { padding: 0; } .cause > p { break-inside: avoid; }
  .finding { padding: 0.05rem 0 0.05rem 0.4rem; margin: 0.2rem 0; border-width: 0 0 0 2pt; border-radius: 0; }
  .finding > p, .parts { margin: 0.1rem 0; } .parts > div { grid-template-columns: 4.4rem minmax(0, 1fr); gap: 0 0.4rem; padding: 0; }
  .findings { columns: 2; column-gap: 1.2rem; } .findings > :is(h2, p) { column-span: all; }
  .cards { display: block; margin: 0; }
  .cause { margin: 0.3rem 0; } .cause > p { margin: 0.1rem 0; } .finding .sentence { font-weight: 400; }
  .figures :is(th, td) { padding-block: 0.1rem; }
  .facts { grid-template-columns: repeat(4, 1fr); gap: 0.35rem 1rem; margin: 0.25rem 0; }
  .tiles { grid-template-columns: repeat(7, 1fr); gap: 0.3rem; margin: 0.4rem 0; } .tiles dd { font-size: 11pt; } .tiles > div { padding: 0.1rem 0.4rem; }
  .phases td:last-child { white-space: normal; }
  .canvas { zoom: 0.8; } .canvas text { font-size: 13.4px; }
  .exchange { content-visibility: visible; }
  :is(details.more, .exchange)::details-content { content-visibility: visible; block-size: auto; }
  body:not(:has(#print-all:checked)) {
    & :is(.more, .run .plot + .plot, .finding .plot) { display: none; }
    & main:has(.cards > :nth-child(4), .findings ~ .findings) .run { display: none; }
    & :is(.finding h3, .finding > p, .parts dd, .untested dd, .remarks li, .facts dd, .headline p) { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
    & .cause :is(.finding h3, .parts dd) { -webkit-line-clamp: 1; }
    & .finding h3 { -webkit-line-clamp: 2; }
    & .phases:has(tr:nth-child(13)), & main:has(.cards > :nth-child(16)) .timeline, & main:has(.cards > :nth-child(16), .findings ~ .findings ~ .findings) .tested { display: none; }
    & .findings:has(.cards > :nth-child(40)) { columns: 3; }
    & main:has(.cards > :nth-child(16)) :is(.finding h3, .finding > p, .parts dd, .remarks li, .untested dd, .facts dd) { -webkit-line-clamp: 1; }
  }
}
`;
