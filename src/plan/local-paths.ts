/** Where a text names a file of this machine: its path or a `file:` address, alone or among other words. */

/** The whole value is meant as a place: it is a path unless it is an address. */
export const isPlace = (text: string): boolean =>
  !/^(https?|data):/i.test(text.trim()) && text.trim() !== '' && !/^sha256:/.test(text);

/** The first name of a file of this machine in it. */
export function localPathIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (/^data:/i.test(trimmed)) return undefined;
  if (WHOLE.some(pattern => pattern.test(trimmed))) return trimmed;
  for (const spelling of new Set([text, decoded(text)]))
    for (const pattern of AMONG_WORDS) {
      const found = pattern.exec(spelling)?.groups?.path;
      if (found !== undefined) return found.replace(/[.,;:!?)]+$/, '');
    }
  return undefined;
}

const WHOLE: readonly RegExp[] = [
  /^file:/i,
  // A frame of a video is made on this machine.
  /^derived:/,
  // C:\films, C:/films, \\server\share, ~/films
  /^[a-z]:[\\/]\S/i,
  /^\\\\[^\\\s]+\\\S/,
  /^~[\w.-]*\/\S/,
  // /films/fox and /fox.mp4; `/fɒks/` and `/imagine a fox` are words.
  /^\/[^\s/]+\/[^\s/]\S*$/,
  /^\/[^/\n][^\n]*\.[a-z0-9]{2,5}$/i,
];

const MEDIA = 'mp4|mov|m4v|webm|mkv|avi|png|jpe?g|webp|gif|avif|bmp|tiff?|wav|mp3|m4a|aac|flac|ogg|opus';

/** Among words, only a text that can be nothing but a path: `and/or` and a sign that reads `/exit` stay words. */
const AMONG_WORDS: readonly RegExp[] = [
  /\b(?<path>file:[/\\][^\s"'<>]*)/i,
  /(?:^|[\s"'(<`])(?<path>[a-z]:\\[^\s"'<>]+)/i,
  /(?:^|[\s"'(<`])(?<path>\\\\[^\\\s]+\\[^\s"'<>]+)/,
  new RegExp(`(?:^|[\\s"'(<\`])(?<path>~?(?:/[^\\s/"'<>]+)+\\.(?:${MEDIA}))\\b`, 'i'),
];

/** `file%3A%2F%2F`, `f%69le:`; any other text stays as it is. */
const decoded = (text: string): string =>
  text.includes('%')
    ? text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
