/** What commands take beside their options. Every mistake is a sentence, never a stack. */
import { cleanText } from '../model/text/clean.ts';
import { listed } from '../model/text/format.ts';

/** The command line is wrong: the message is for the person who typed it, one line or several. Ends with exit code 2. */
export class UsageError extends Error {
  readonly lines: readonly string[];
  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Everything that is wrong in the settings, one below the other. */
export const settingsMistakes = ([first = '', ...more]: readonly string[]): UsageError =>
  new UsageError(first, ...more.map(problem => `          ${problem}`));

export function oneFile(positionals: readonly string[], command: string): string {
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError(`which file? shotlist ${command} FILE`);
  nothingBehind(more, command, 'one file');
  return file;
}

/** @param takes what the command takes: `one file`. @throws UsageError */
export function nothingBehind(words: readonly string[], command: string, takes: string): void {
  if (words.length > 0)
    throw new UsageError(
      `unexpected argument${words.length === 1 ? '' : 's'} ${listed(words.map(word => `\`${cleanText(word)}\``))}; shotlist ${command} takes ${takes}`,
    );
}

/** `--param idea=a fox` → `{ idea: 'a fox' }`. */
export function parseParams(given: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const text of given) {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--param takes NAME=VALUE, and this is \`${text}\``);
    values[text.slice(0, at)] = text.slice(at + 1);
  }
  return values;
}

/** The form that `--json` or `--format` asks for; undefined where neither is given. @throws UsageError where they ask for two. */
export function formAsked<Form extends string>({
  json,
  format,
}: {
  readonly json: boolean;
  readonly format?: Form | undefined;
}): Form | 'json' | undefined {
  if (json && format !== undefined && format !== 'json')
    throw new UsageError(`--json and --format ${format} ask for different things; leave one out`);
  return json ? 'json' : format;
}

/** The screen that `--ui` or `--json` asks for. @throws UsageError where they ask for two. */
export function uiAsked<Ui extends string>({ json, ui }: { readonly json: boolean; readonly ui?: Ui | undefined }) {
  if (json && ui !== undefined && ui !== 'json')
    throw new UsageError(`--json is --ui json, and --ui ${ui} says otherwise; leave one out`);
  return json ? ('json' as const) : ui;
}

/** @throws UsageError */
export function portIn(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`--port is a number from 0 to 65535; \`${cleanText(text)}\` is not`);
}

/** `Fox: at night` → `fox-at-night`, for the name of a film. */
export const filmName = (text: string, otherwise: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || otherwise;

/** All reasons why a request cannot be sent, a line each. */
export const nothingSent = (reasons: readonly string[]): UsageError =>
  new UsageError('nothing was sent:', ...reasons.map(reason => `  ${reason}`));
