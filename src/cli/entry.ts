#!/usr/bin/env node
/**
 * The first file that runs, bundled as CommonJS: it answers help, version and shells that complete a word before the
 * rest is loaded, and refuses a Node that is too old for the rest.
 */
import { readdirSync, readFileSync, realpathSync, statSync, writeSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import project from '../../package.json' with { type: 'json' };
import { answerHelp } from './command-line/answer-help.ts';
import { commandIn } from './command-line/commands.ts';
import { COMPLETE, complete } from './completion/complete-command-line.ts';

const LEAST_NODE = 24;
const STDOUT = 1;
const STDERR = 2;
/** A pipeline of which a shell may want the names of steps. */
const MOST_BYTES = 1024 * 1024;

/** The URL of the folder of our modules, with its slash. */
let ownFolder: string | undefined;

const words = process.argv.slice(2);
const isVersion = words[0] === '--version' || words[0] === '-v';
const help = isVersion ? undefined : answerHelp(words, () => process.stdout.columns ?? process.stderr.columns);
const command = commandIn(words);

if (isVersion) {
  write(STDOUT, `${project.version}\n`);
} else if (words[0] === COMPLETE) {
  const offers = complete(words.slice(1), { labels: modelLabels, textOf: smallFile });
  write(STDOUT, offers.map(offer => `${offer}\n`).join(''));
} else if (help !== undefined || command === undefined) {
  process.exitCode = help?.exit ?? 2;
  write(help?.to === 'stdout' ? STDOUT : STDERR, help?.text ?? '');
} else if (Number.parseInt(process.versions.node, 10) < LEAST_NODE) {
  // The npm package `node` is Node itself, and `npx` takes what is installed beside us before what the machine has.
  const installHere = `\`npm install node@${LEAST_NODE}\` in this folder and start it with \`npx shotlist\``;
  write(
    STDERR,
    `shotlist needs Node ${LEAST_NODE} or newer, and this is ${process.version}: get one from https://nodejs.org, or ${installHere}\n`,
  );
  process.exitCode = 2;
} else {
  module.enableCompileCache?.();
  module.registerHooks({ resolve: resolveInstalled });
  void import('./main.ts').then(({ main }) => main(command));
}

/** One file each; the package keeps them beside `dist`, the sources one folder higher. */
function modelLabels(): readonly string[] {
  const own = realpathSync(process.argv[1] ?? '');
  const inFolder = (up: string) => attempt(() => readdirSync(join(own, up, 'schema/models')));
  return (inFolder('../..') ?? inFolder('../../..') ?? []).map(name => name.replace(/\.json$/, ''));
}

function smallFile(path: string): string | undefined {
  const file = attempt(() => statSync(path));
  return file?.isFile() && file.size <= MOST_BYTES ? attempt(() => readFileSync(path, 'utf8')) : undefined;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Resolves what our own modules import of each other, some seventy files: Node would look for each, and for its package, on the disk. */
function resolveInstalled(
  specifier: string,
  context: module.ResolveHookContext,
  next: (specifier: string, context: module.ResolveHookContext) => module.ResolveFnOutput,
): module.ResolveFnOutput {
  const { parentURL = '' } = context;
  const folder = parentURL.slice(0, parentURL.lastIndexOf('/') + 1);
  if (folder === ownFolder && /^\.\/[\w-]+\.js$/.test(specifier))
    return { url: folder + specifier.slice(2), format: 'module', shortCircuit: true };
  const found = next(specifier, context);
  // The first that is asked for is `main.js`.
  ownFolder ??= found.url.slice(0, found.url.lastIndexOf('/') + 1);
  return found;
}

/** A closed pipe is no error: its reader has read enough. A full disk is reported. */
function write(to: number, text: string): void {
  const bytes = Buffer.from(text);
  let from = 0;
  while (from < bytes.length) {
    try {
      // A pipe may take a part of the bytes, or none at this moment.
      from += writeSync(to, bytes, from);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') continue;
      if (code === 'EPIPE' || code === 'EIO' || code === 'ENXIO') return;
      process.exitCode = 1;
      if (to === STDOUT) write(STDERR, `shotlist: standard output cannot be written (${message}); send it elsewhere\n`);
      return;
    }
  }
}
