/**
 * Text from a service, a command or a file, made safe to show: no escape sequence, no control character, one line.
 *
 * A terminal obeys what it is shown: OSC 52 writes the clipboard, CSI 2J clears the screen, a bidi override turns a path around.
 * Only what a terminal would obey is removed; words are kept, so that a message stays readable. An escape sequence that never ends
 * loses its introducer alone: the rest is harmless text, and dropping it could hide the message.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(STRINGS, '')
    .replace(SEQUENCES, '')
    .replace(BREAKS, ' ')
    .replace(UNSEEN, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Printable ASCII with single blanks inside: nearly every text. */
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/**
 * OSC, DCS, SOS, PM and APC with their payload (ECMA-48 8.3.89 ff., and BEL as xterm ends an OSC). A payload holds none of the signs
 * that begin one: a text of nothing but beginnings is gone through once, not once for each.
 */
const STRINGS = /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x9c|\x1b\\)/g;
/** CSI sequences, then any other escape: intermediate bytes and one final byte (ECMA-48 5.3, 5.4). */
const SEQUENCES = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-OQ-WYZ\\`-~]/g;
const BREAKS = /[\t\n\v\f\r\x85\u2028\u2029\u00a0]+/g;

/**
 * Single characters that a terminal obeys or that are invisible: C0, DEL, C1; bidi marks, embeddings, overrides and isolates (UAX #9); line and
 * paragraph separators; zero-width fillers, tags, lone surrogates. Joiners stay: a family of emoji is made of them.
 */
const UNSEEN =
  /[\0-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu;

/**
 * What a program has written to its terminal, as the terminal would have left it: no escape sequence, and nothing that a carriage return
 * has written over. Line ends and tabs stay.
 */
export const asLeftOnTerminal = (text: string): string =>
  safeLines(
    text
      .replace(STRINGS, '')
      .replace(SEQUENCES, '')
      .split('\n')
      .map(line => line.replace(/\r+$/, '').replace(/^.*\r/s, ''))
      .join('\n'),
  );

/** Makes text safe that arrives in pieces: no character stays that could begin an escape sequence. Line ends and tabs stay. */
export const safeLines = (text: string): string =>
  text.replace(UNSEEN, found => (found === '\n' || found === '\t' ? found : ''));

/** The same for painted text: sequences that set and reset colours stay, too. */
export const safePainted = (text: string): string =>
  text
    .split(PAINT)
    .map((part, at) => (at % 2 === 0 ? safeLines(part) : part))
    .join('');

/** The same without sequences that set and reset colours: where nothing paints. */
export const safeUnpainted = (text: string): string =>
  safeLines(
    text
      .split(PAINT)
      .filter((_, at) => at % 2 === 0)
      .join(''),
  );

const PAINT = /(\x1b\[(?:\d{1,3}(?:;\d{1,3})*)?m)/;

/** Replaces each character that a terminal would obey by one visible character, so that columns stay where they are. */
export const visible = (text: string): string => text.replace(UNSEEN, '\ufffd').replace(/[\u200c\u200d]/g, '\ufffd');

/** JSON of which a terminal obeys nothing, and which reads back as the same data. `indent` as for `JSON.stringify`. */
export const safeJson = (value: unknown, indent?: number): string =>
  // JSON itself escapes C0 and lone surrogates; the line ends of an indent stay.
  (JSON.stringify(value, null, indent) ?? 'null').replace(UNSEEN, found => (found === '\n' ? found : escaped(found)));

/** A character beyond the first 65,536 is written as two surrogates. */
const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

// What a service, a command or the network says, as it is shown: clean, in one line, and no longer than anybody reads.

/** Characters. */
const LONGEST = 2000;
const [HEAD, TAIL] = [1600, 300];
const LINE = 300;

/** A page of text keeps its beginning, and its end, where a log has its reason; all of it is in the journal. */
export function messageText(text: string): string {
  const clean = cleanText(text);
  if (clean.length <= LONGEST) return clean;
  const more = clean.length - HEAD - TAIL;
  return `${clean.slice(0, HEAD)} … (${more.toLocaleString('en-US')} characters more in the journal) … ${clean.slice(-TAIL)}`.toWellFormed();
}

/** A line of a command's output: indented as it was. */
export const outputLine = (line: string): string =>
  asLeftOnTerminal(line)
    .replaceAll(/[\t\n]/g, '  ')
    .trimEnd();

/** The beginning of it, where all of it was shown before. */
export function messageInALine(text: string): string {
  const clean = cleanText(text);
  if (clean.length <= LINE) return clean;
  const start = clean.slice(0, LINE - 1).trimEnd();
  return `${start.toWellFormed()}…`;
}

/** One argument as a person types it at a shell, quoted only where it must be. */
export const asTyped = (word: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return OBEYED.test(word)
    ? `$'${word.replace(new RegExp(`${OBEYED.source}|['\\\\]`, 'gu'), coded)}'`
    : `'${word.replaceAll("'", "'\\''")}'`;
};

/** Characters that a terminal would obey or would not show. Typed as a code, they are neither obeyed nor lost. */
const OBEYED =
  /[\0-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/u;

/** Inside `$'…'` (bash, zsh, ksh, POSIX since 2024) three octal digits are one byte of the text. */
const coded = (character: string): string =>
  character === "'" || character === '\\'
    ? `\\${character}`
    : [...new TextEncoder().encode(character)].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('');
