import { broken } from './switch.mjs';

/** What is stored of a text: the text itself, unless a break changes it. */
export function cleaned(text) {
  if (broken('nul-ends-text')) return text.split('\0')[0];
  if (broken('normalized-nfc')) return text.normalize('NFC');
  if (broken('normalized-nfkc')) return text.normalize('NFKC');
  if (broken('diacritics-removed')) return text.normalize('NFD').replace(/\p{M}/gu, '');
  if (broken('sanitized')) return text.replace(/<[^>]*>/g, '');
  if (broken('escaped')) return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
  if (broken('surrogates-split'))
    return [...text.split('')].map((one) => (/[\ud800-\udfff]/.test(one) ? '\ufffd' : one)).join('');
  if (broken('upper-case')) return text.toLocaleUpperCase('tr');
  if (broken('slugified')) return text.trim().replace(/[^\p{L}\p{N}]+/gu, '-');
  if (broken('zero-width-removed')) return text.replace(/[\u200b-\u200f\u2060\ufeff]/g, '');
  if (broken('markdown-escaped')) return text.replace(/([_*`])/g, '\\$1');
  if (broken('interpolated')) return text.replace(/\$\{[^}]*\}|\{\{[^}]*\}\}/g, '');
  if (broken('dates-converted') && /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)))
    return new Date(text).toJSON();
  if (broken('typed-by-look') && /^(true|false|null|\d+)$/.test(text))
    return JSON.parse(text.replace(/^0+/, ''));
  return text;
}
