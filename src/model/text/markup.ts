/**
 * A text of anybody's as a piece of XML, Markdown or a line that a runner reads for orders: what is shown is the text itself, and nothing
 * in it is obeyed. Each begins with `cleanText` or `safeLines`, as every sink does.
 */
import { cleanText, safeLines } from './clean.ts';

/** What XML 1.0 has no way to write, escaped or not: `Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]`. */
const NOT_IN_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const XML: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
};

/** In an element. */
export const xmlText = (text: string): string =>
  safeLines(text)
    .replace(NOT_IN_XML, '')
    .replace(/[&<>"']/g, sign => XML[sign] ?? sign);

/** In an attribute with quotes, where a parser makes a blank of each line end that is not escaped. */
export const xmlAttribute = (text: string): string =>
  xmlText(text).replace(/[\t\n\r]/g, sign => `&#${sign.charCodeAt(0)};`);

/** `name="teaser" tests="4"` */
export const xmlAttributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${xmlAttribute(String(value))}"`)
    .join(' ');

/**
 * Text for a line of GitHub-flavoured Markdown, also within a table: no formatting, link, picture, HTML, mention, issue number, formula,
 * table cell or list comes of it. The comment behind `@` and `#` parts a mention before anybody looks for one.
 */
export const markdownText = (text: string): string =>
  withEntities(text, sign => (sign === '@' || sign === '#' ? `${entity(sign)}<!-- -->` : entity(sign)));

/** The same as code, without mentions: a code span cannot hold every text, and a `<code>` of entities can. */
export const markdownCode = (text: string): string => `<code>${withEntities(text, entity)}</code>`;

/** Lines with their blanks, which a cell of a table can hold. */
export const markdownBlock = (text: string): string =>
  `<pre>${safeLines(text).replace(MARKS, entity).replaceAll('\n', '<br>')}</pre>`;

/** Colons make addresses and emoji of what follows at once; dots and dashes lists at the start, and dots addresses behind `www`. */
const MARKS = /[!#$&*+<=>?@[\\\]^_`{|}~]|:(?=\S)|^[-.]|(?<=^\d+)[.)]|(?<=www)\./gi;

const withEntities = (text: string, written: (sign: string) => string): string =>
  cleanText(text).replace(MARKS, written);

const entity = (sign: string): string => `&#${sign.codePointAt(0)};`;

/** The logo, in the head of a page and on its tab. */
export const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 34 34"><title>Shotlist</title><rect width="34" height="34" rx="8" fill="#f07a2e"/><path d="M7 14.5h20v11a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2z" fill="#f6f1e7"/><g transform="rotate(-11 7 13)"><rect x="7" y="8" width="20" height="5" rx="1.2" fill="#17130f"/><path d="M10.500 8h3.200l-2 5H8.500zM17 8h3.200l-2 5H15zM23.500 8h3.200l-2 5h-3.200z" fill="#f6f1e7"/></g></svg>';
