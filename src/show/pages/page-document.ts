/**
 * A page as one document: it holds its script and its sheets, allowed by their digests and by nothing else, and its data is one block of
 * JSON that is read as text. It asks for no address but those of its own media.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PageBundle } from '../../machine/files/page-bundle.ts';
import { MARK, xmlText } from '../../model/text/markup.ts';
import type { PackedData } from './page-data.ts';

interface PageDocument {
  readonly title: string;
  /** By which a page of this sort is known again. */
  readonly generator: string;
  readonly bundle: Pick<PageBundle, 'script' | 'style'>;
  /** The fonts; see `machine/files/page-bundle.ts`. */
  readonly type: string;
  /** The markup between `<body>` and the data: ours, without anything of a run in it. */
  readonly body: string;
  readonly data: unknown;
  /** What is allowed beyond the page's own media: `connect-src 'self'`. */
  readonly allows?: readonly string[];
}

/** Characters of JSON above which it is compressed: the data of a few dozen instances is readable in the file. */
const LEGIBLE = 150_000;

export function pageDocument({ title, generator, bundle, type, body, data, allows = [] }: PageDocument): string {
  const style = `${type}\n${bundle.style}`;
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(bundle.script)}'`,
    `style-src '${digestOf(style)}'`,
    "img-src 'self' data:",
    "media-src 'self'",
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    ...allows,
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${xmlText(generator)}">
<title>${xmlText(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}">
<style>${style}</style>
</head>
<body>
${body}
<script type="application/json" id="data">${blockOf(data)}</script>
<script>${bundle.script}</script>
</body>
</html>
`;
}

const digestOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

function blockOf(data: unknown): string {
  const json = JSON.stringify(data);
  if (json.length <= LEGIBLE) return inScript(json);
  return JSON.stringify({ gzip: gzipSync(json, { level: 9 }).toString('base64') } satisfies PackedData);
}

/** Nothing in it can end the block or begin a comment, and no old parser sees a line end in a string. */
const inScript = (json: string): string =>
  json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/** The mark in the head of a page. */
export const PAGE_SIGN = MARK.replace('<svg ', '<svg class="sign" aria-hidden="true" ').replace(
  /<title>.*?<\/title>/,
  '',
);
