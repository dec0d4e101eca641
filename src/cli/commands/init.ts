/** `shotlist init [DIR]`: a pipeline file that runs at once on the built-in studio. Nothing that is there is overwritten. */

import { existsSync, statSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { codeOf } from '../../machine/error-code.ts';
import { findUp, readIfThere } from '../../machine/files/files.ts';
import { SETTINGS_FILE, STATE_FOLDER } from '../../machine/files/project.ts';
import { asTyped, safeJson } from '../../model/text/clean.ts';
import { filmName, nothingBehind, UsageError } from '../arguments.ts';
import { COMMANDS } from '../command-line/commands.ts';
import { meantValue } from '../command-line/mistakes.ts';
import { command, type Read } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { jsonText, print, say } from '../outlets.ts';
import { INTERRUPTED } from '../terminal/signals.ts';

const IDEA = 'a red fox crossing a frozen river at dawn';
const SHOTS = '3';
/** Characters of a prompt, less what each shot adds. */
const LONGEST_IDEA = 400;

export const main = command('init', async ({ values, positionals }) => {
  const [dir = '.', ...more] = positionals;
  nothingBehind(more, 'init', 'one folder');
  const folder = resolve(dir);
  if (statSync(folder, { throwIfNoEntry: false })?.isFile()) throw isFile(dir);
  const name = values.name ?? filmName(basename(folder), 'film');
  const wrong =
    nameMistake(name) ?? (values.idea && ideaMistake(values.idea)) ?? (values.shots && shotsMistake(values.shots));
  if (wrong) throw new UsageError(wrong);
  const file = join(folder, `${name}.yaml`);
  // Questions come after this check: their answers would be lost.
  if (existsSync(file)) throw isThere(file);
  const film = await filmOf(name, values);
  if (film === undefined) {
    say('nothing was written');
    return INTERRUPTED;
  }
  await mkdir(folder, { recursive: true });
  await writeFile(file, firstFilm(film), { flag: 'wx' }).catch(error => {
    throw codeOf(error) === 'EEXIST' ? isThere(file) : error;
  });
  const ignored = await ignoreOutputs(folder);
  const next = `shotlist run ${asTyped(shown(file))}`;
  if (values.json) {
    const files = [
      { path: shown(file), did: 'written' },
      ...(ignored ? [{ ...ignored, path: shown(ignored.path) }] : []),
    ];
    print(jsonText({ version: 1, files, next }));
    return 0;
  }
  say(`wrote ${shown(file)}`);
  if (ignored) say(`${ignored.did === 'written' ? 'wrote' : 'added out/ to'} ${shown(ignored.path)}`);
  say(`next: ${next}`);
  return 0;
});

/** Asks at a terminal for what no option gives; undefined after Ctrl-C or the end of the input. */
async function filmOf(
  name: string,
  { idea, ratio, shots, yes, json }: Read<'init'>['values'],
): Promise<FirstFilm | undefined> {
  const questions: readonly (Question & { readonly of: 'idea' | 'ratio' | 'shots' })[] = [
    ...(idea === undefined
      ? [{ of: 'idea', text: 'what is seen in it?', preset: IDEA, mistake: ideaMistake } as const]
      : []),
    ...(ratio === undefined
      ? [{ of: 'ratio', text: `its shape, ${RATIOS.join(', ')}?`, preset: RATIOS[0], mistake: ratioMistake } as const]
      : []),
    ...(shots === undefined
      ? [{ of: 'shots', text: 'how many shots?', preset: SHOTS, mistake: shotsMistake } as const]
      : []),
  ];
  const answers = yes || json || !canAsk() ? questions.map(({ preset }) => preset) : await answersTo(questions);
  if (answers === undefined) return undefined;
  const given = Object.fromEntries(questions.map(({ of }, at) => [of, answers[at]]));
  return {
    name,
    idea: idea ?? given.idea ?? IDEA,
    ratio: ratio ?? RATIOS.find(one => one === given.ratio) ?? RATIOS[0],
    shots: Number(shots ?? given.shots ?? SHOTS),
  };
}

const RATIOS = COMMANDS.init.options.ratio.oneOf;

const nameMistake = (name: string): string | undefined =>
  /^[a-z0-9][a-z0-9-]{0,59}$/.test(name)
    ? undefined
    : `--name is \`${name}\`; write small letters, digits and hyphens, like my-film`;

function ideaMistake(idea: string): string | undefined {
  if (idea.includes('${{')) return 'an idea is words; `${{ }}` is for the file, where it can be read';
  if (idea.trim() === '') return 'an idea is words, and this is empty';
  return idea.length > LONGEST_IDEA
    ? `an idea of ${idea.length} characters is too long for a prompt; at most ${LONGEST_IDEA}`
    : undefined;
}

const shotsMistake = (shots: string): string | undefined =>
  /^\d+$/.test(shots) && Number(shots) >= 1 && Number(shots) <= FRAMINGS.length
    ? undefined
    : `\`${shots}\` shots: write a whole number from 1 to ${FRAMINGS.length}`;

function ratioMistake(ratio: string): string | undefined {
  if (RATIOS.some(one => one === ratio)) return undefined;
  const near = meantValue(ratio, RATIOS, 'ratio');
  return `it is one of ${RATIOS.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

function isFile(path: string): UsageError {
  const [inside, name] = [dirname(path), basename(path).replace(/\.ya?ml$/, '')];
  const instead = `shotlist init${inside === '.' ? '' : ` ${asTyped(inside)}`} --name ${asTyped(filmName(name, 'film'))}`;
  return new UsageError(`${asTyped(path)} is a file, and is left as it is: init takes a folder; write \`${instead}\``);
}

const isThere = (file: string): CommandError =>
  new CommandError(2, `${shown(file)} is there already, and is left as it is; give it another name with --name`);

const shown = (path: string): string => relative(resolve(), path) || path;

/** The film that `shotlist init` writes: a few shots of one idea, cut together. It runs at once on the built-in studio. */
interface FirstFilm {
  readonly name: string;
  readonly idea: string;
  readonly ratio: '16:9' | '9:16' | '1:1' | '4:3' | '3:4';
  /** 1 to 12. */
  readonly shots: number;
}

const FRAMINGS = [
  'wide establishing shot, slow pan',
  'medium shot, tracking',
  'close-up, slow push in',
  'low angle, looking up',
  'over the shoulder',
  'wide shot from above, slow crane up',
  'profile, handheld',
  'extreme close-up of a detail',
  'long lens, shallow focus',
  'silhouette against the light',
  'slow dolly back',
  'wide closing shot, still camera',
] as const;

function firstFilm({ name, idea, ratio, shots }: FirstFilm): string {
  return `shotlist: 1
name: ${name}

params:
  idea: { type: string, default: ${safeJson(idea)} }

steps:
  # One request for each framing; they are made at the same time.
  shot:
    matrix:
      framing:
${FRAMINGS.slice(0, shots)
  .map(framing => `        - ${framing}`)
  .join('\n')}
    model: V-T2V-A
    with:
      prompt: "\${{ params.idea }}: \${{ matrix.framing }}, single shot"
      aspect_ratio: "${ratio}"
      resolution: 720P
      duration: 3

  # Assembled on this machine, which costs nothing.
  film:
    cut:
      clips: [ "\${{ steps.shot }}" ]
      join: { dissolve: 0.4s }

outputs:
  film: { from: "\${{ steps.film }}", to: out/${name}.mp4 }
`;
}

const LINE = 'out/';
const SAYS_SO: ReadonlySet<string> = new Set(['out', 'out/', '/out', '/out/', '*']);

interface Ignored {
  readonly path: string;
  readonly did: 'written' | 'extended';
}

/**
 * A folder without a project or a repository above it becomes a project of its own: its films land in it, from wherever it is run.
 * Undefined where nothing had to be written.
 */
export async function ignoreOutputs(folder: string): Promise<Ignored | undefined> {
  const root = await findUp(folder, [SETTINGS_FILE, STATE_FOLDER, '.git']);
  if (root === null) {
    await mkdir(join(folder, STATE_FOLDER), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, STATE_FOLDER, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => {});
  } else if ((await findUp(root, ['.git'])) === null) return undefined;
  const path = join(root ?? folder, '.gitignore');
  const before = await readIfThere(path);
  if (before === null) {
    await writeFile(path, `${LINE}\n`, { flag: 'wx' });
    return { path, did: 'written' };
  }
  if (before.split(/\r?\n/).some(line => SAYS_SO.has(line.trim()))) return undefined;
  await appendFile(path, `${before === '' || before.endsWith('\n') ? '' : '\n'}${LINE}\n`);
  return { path, did: 'extended' };
}

interface Question {
  readonly text: string;
  readonly preset: string;
  /** What is wrong with an answer; undefined where it will do. */
  readonly mistake: (answer: string) => string | undefined;
}

const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** The answers in the order of the questions; undefined after Ctrl-C, or the end of the input. */
async function answersTo(questions: readonly Question[]): Promise<readonly string[] | undefined> {
  process.stdin.on('error', () => {});
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  const stop = new AbortController();
  lines.on('SIGINT', () => stop.abort());
  lines.on('close', () => stop.abort());
  const answers: string[] = [];
  try {
    for (const { text, preset, mistake } of questions) {
      for (let isGood = false; !isGood; ) {
        const answer = (await lines.question(`${text} (${preset}) `, { signal: stop.signal })).trim() || preset;
        const wrong = mistake(answer);
        isGood = wrong === undefined;
        if (isGood) answers.push(answer);
        else say(wrong ?? '');
      }
    }
    return answers;
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    throw error;
  } finally {
    lines.close();
  }
}
