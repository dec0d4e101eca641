/**
 * Everything that a command writes goes through here: results to standard output, everything else to standard error. Each text is made
 * safe here once more, whatever its origin, and a broken stream ends no command by itself.
 */

import { errorCodeText } from '../machine/files/disk-error.ts';
import { openSpillFile } from '../machine/files/spill-file.ts';
import { Redactor } from '../machine/redactor.ts';
import { safeJson, safeLines, safePainted } from '../model/text/clean.ts';
import { type Break, Outlet } from './terminal/outlet.ts';

/** One outlet for each stream of this process. */
const known = new WeakMap<NodeJS.WriteStream, Outlet>();
let secrets = new Redactor([]);

/** From now on none of these texts is written. */
export const addRedactions = (more: Redactor): void => {
  secrets = more;
};
/** For a text that is cut before it is written: half a secret would not be found any more. */
export const withoutSecrets = (text: string): string => secrets.redact(text);
const safe = (text: string): string => safeLines(secrets.redact(text));

function outletOf(stream: NodeJS.WriteStream): Outlet {
  const outlet = known.get(stream) ?? new Outlet(stream, openSpillFile);
  known.set(stream, outlet);
  return outlet;
}

const stdout = (): Outlet => outletOf(process.stdout);
const stderr = (): Outlet => outletOf(process.stderr);

/** A result, on standard output. */
export const print = (text: string): void => stdout().write(safe(text));
/** A result that we painted. */
export const printPainted = (text: string): void => stdout().write(safePainted(secrets.redact(text)));
/** One document for other programs, of which a terminal that happens to show it obeys nothing. */
export const jsonText = (value: unknown): string => `${safeJson(value, 2)}\n`;
/** How a result is laid out on standard output: cells of a line, and whether it may be painted. */
export const stdoutLook = () => ({
  width: process.stdout.columns ?? 100,
  color: process.stdout.isTTY === true && !process.env.NO_COLOR,
});
/** Cells of a line that is cut at a terminal alone: a pipe is read by a program, or searched. */
export const cutWidth = (): number => (process.stdout.isTTY === true ? stdoutLook().width : Number.POSITIVE_INFINITY);
/** Characters. A name in a message may have any length. The end of the message stays, because it holds the advice. */
const MAX_LINE = 4_000;
const shortened = (line: string): string =>
  line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE - 1_000)}…${line.slice(-999)}`;

/** Whether no result was printed so far. */
export const isNothingPrinted = (): boolean => stdout().isUnused;

/** Lines for the person, on standard error. */
export const say = (lines: string): void => stderr().write(`${safe(lines).split('\n').map(shortened).join('\n')}\n`);
/** Writes one line of a log to standard error: a line end in a name becomes a blank. */
export const sayLine = (line: string): void => say(line.replace(/[\n\r\v\f\x85\u2028\u2029]+/g, ' '));
export const sayPainted = (text: string): void => stderr().write(`${safePainted(secrets.redact(text))}\n`);

/** A frame of the screen, on standard error: its lines are safe already, and what moves the cursor between them is ours. */
export const draw = (frame: string): void => stderr().write(secrets.redact(frame));

/**
 * Calls `listener` once, when standard output or standard error has no reader any more or cannot be written; soon, where that has
 * happened already. The returned function stops listening.
 */
export function whenOutletBreaks(listener: (broken: Break) => void): () => void {
  let heard = false;
  const once = (broken: Break) => {
    if (!heard) listener(broken);
    heard = true;
  };
  const off = [stdout().whenBroken(once), stderr().whenBroken(once)];
  return () => {
    for (const stop of off) stop();
  };
}

/** Handles the errors of both streams from the start. A stream that has a reader and cannot be written is reported on the other one. */
export function guardOutlets(failed: () => void): void {
  for (const [name, outlet, other] of [
    ['standard output', stdout(), stderr()],
    ['standard error', stderr(), stdout()],
  ] as const) {
    outlet.whenBroken(({ code, gone }) => {
      if (gone) return;
      failed();
      // Standard output carries results alone: the report goes to standard error only.
      if (other === stderr()) other.write(`shotlist: ${name} cannot be written: ${unwritten(code)}\n`);
    });
  }
}

function unwritten(code: string): string {
  const words = errorCodeText(code, 'writing');
  return words ? `${words.what}; ${words.mend}, then give the same command again` : code;
}

/** Resolves when the readers have taken everything, or are gone. */
export const outletsDrained = async (): Promise<void> => {
  await Promise.all([stdout().drained(), stderr().drained()]);
};
