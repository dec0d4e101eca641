/** Markdown as GitHub renders it, and what a reader's browser would do with the page. */
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

export const rendered = (markdown: string): string =>
  micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });

/** Tags of a page with their attributes, once each: `a href`. Comments are none. */
export const tagsIn = (html: string): readonly string[] => [
  ...new Set(
    [...html.replaceAll(/<!-- -->/g, '').matchAll(/<([a-z!?][^\s>]*)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
      ([, name = '', attributes = '']) =>
        [name.toLowerCase(), ...[...attributes.matchAll(/([^\s="]+)(?:="[^"]*")?/g)].map(([, one]) => one)].join(' '),
    ),
  ),
];

/** What GitHub itself makes of the texts of a page: people and issues that are mentioned outside of code and links. */
export function mentionsIn(html: string): readonly string[] {
  const texts = html
    .replaceAll(/<(code|pre|a)\b[^>]*>.*?<\/\1>/gs, '<>')
    .split(/<[^>]*>/)
    .map(text =>
      text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll('&amp;', '&'),
    );
  return texts.flatMap(text =>
    [...text.matchAll(/(?<![\w/])(@[a-z\d][\w-]*|(?:[\w./-]+)?#\d+|GH-\d+)/gi)].map(([found]) => found),
  );
}
