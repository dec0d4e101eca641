/**
 * Where an output may go: a file of its own inside the project, on every file system people share projects over. Checked on what
 * the author wrote, and again on each path once its braces are filled. Whether something is at the path already is not known here.
 */
import type { Message } from './checks/findings.ts';
import { messages } from './messages/index.ts';

/** Whether a path leaves the folder that it is relative to, or names none of its files: `../a`, `/a`, `C:a`, `~/a`, `a/`, `.`. */
export const leavesFolder = (path: string): boolean =>
  /^([/\\~]|[A-Za-z]:)/.test(path) ||
  /[/\\]$/.test(path) ||
  path.split(/[/\\]/).some(part => part === '..' || part === '.') ||
  path.trim() === '';

/** Bytes of one name that common file systems take. */
const LONGEST_NAME = 255;

/** Undefined where nothing is wrong. `pipeline`: the pipeline's own path, as it was given. */
export function outputProblem(path: string, pipeline: string): Message | undefined {
  if (/\p{Cc}/u.test(path)) return messages.outputCharacter(path);
  if (/^\w+:\/\//.test(path)) return messages.outputAddress(path);
  if (path.includes('*')) return messages.outputStar(path);
  if (path.includes('\\')) return messages.outputBackslash(path);
  const names = path.split(/[/\\]/);
  const [folders, file] = [names.slice(0, -1).map(folded), folded(names.at(-1) ?? '')];
  const instead = `out/${file.replace(/^\.+/, '') || 'film.mp4'}`;
  const long = names.find(name => bytesOf(name) > LONGEST_NAME);
  if (long !== undefined) return messages.outputNameTooLong(long, bytesOf(long), LONGEST_NAME);
  const device = names.find(name => DEVICES.test(folded(name)));
  if (device !== undefined) return messages.outputDevice(device);
  const foreign = folders.find(name => FOLDERS.has(name) || name.startsWith('.') || /^git~\d/.test(name));
  if (foreign !== undefined) return messages.outputFolder(path, foreign, instead);
  if (file.startsWith('.')) return messages.outputHidden(path, instead);
  if (isPipeline(path, pipeline)) return messages.outputPipeline(path);
  if (FILES.has(file) || /\.lock\.ya?ml$/.test(file)) return messages.outputTaken(path, file, instead);
  return undefined;
}

/** Folders that tools read or run, at any depth. Every folder with a dot at the beginning of its name counts as one. */
const FOLDERS: ReadonlySet<string> = new Set(['node_modules']);

const FILES: ReadonlySet<string> = new Set(
  [
    ['shotlist.config.yaml', 'shotlist.config.yml'],
    ['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'],
    ['deno.json', 'deno.lock', 'bun.lock', 'bun.lockb', 'tsconfig.json', 'jsconfig.json', 'biome.json'],
    ['makefile', 'dockerfile', 'justfile', 'compose.yaml', 'docker-compose.yml', 'docker-compose.yaml'],
    ['cargo.toml', 'cargo.lock', 'go.mod', 'go.sum', 'pyproject.toml', 'requirements.txt', 'gemfile', 'pom.xml'],
  ].flat(),
);

/** Windows opens a device by these names, whatever their ending. */
const DEVICES = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/;

/**
 * One spelling for all that file systems take for the same name: letter case (macOS, Windows), dots and blanks at the end
 * (Windows), characters that are not seen (macOS).
 */
const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');

/** Outputs are named from the project's root, the pipeline from the current folder: the end they share decides. */
function isPipeline(path: string, pipeline: string): boolean {
  const [output, own] = [path, pipeline].map(
    text =>
      `/${text
        .split(/[/\\]/)
        .map(folded)
        .filter(name => name !== '')
        .join('/')}`,
  );
  return output !== undefined && own !== undefined && (own.endsWith(output) || output.endsWith(own));
}

/** Without the braces: their part is counted once they are filled. */
const bytesOf = (name: string): number => new TextEncoder().encode(name.replaceAll(/\{[^{}]*\}/g, '')).length;

/** A path in the form in which two are compared: two that differ by letter case alone are one file on macOS and Windows. */
export const samePath = (path: string): string => path.normalize('NFC').toLowerCase();

/** The folders a path lies in, outermost first. */
export function* foldersOf(path: string): Iterable<string> {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) yield path.slice(0, at);
}
