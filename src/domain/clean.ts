/**
 * Text from a service, a command or a file, made safe to show: no escape sequence, no control character, one line.
 *
 * A terminal obeys what it is shown: OSC 52 writes the clipboard, CSI 2J clears the screen, a bidi override turns a path around.
 * Words are kept, so that a message stays readable; only what a terminal would obey goes. An escape sequence that never ends
 * loses its introducer alone: the rest is harmless text, and dropping it could hide the message.
 */
export function cleanText(text: string): string {
  return text
    .replace(STRINGS, '')
    .replace(SEQUENCES, '')
    .replace(BREAKS, ' ')
    .replace(UNSEEN, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/**
 * OSC, DCS, SOS, PM and APC with their payload (ECMA-48 8.3.89 ff., and BEL as xterm ends an OSC). A payload holds none of the signs
 * that begin one: a text of nothing but beginnings is gone through once, not once for each.
 */
const STRINGS = /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x9c|\x1b\\)/g;
/** CSI sequences, then any other escape: intermediate bytes and one final byte (ECMA-48 5.3, 5.4). */
const SEQUENCES = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-OQ-WYZ\\`-~]/g;
const BREAKS = /[\t\n\v\f\r\x85\u2028\u2029\u00a0]+/g;
/** C0, DEL, C1; bidi marks, embeddings, overrides and isolates (UAX #9); zero-width fillers, tags, lone surrogates. */
const UNSEEN =
  /[\0-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu;
