/** `shotlist init [DIR]`: a pipeline file that runs at once on the built-in studio. Nothing that is there is overwritten. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { asTyped } from '../../domain/as-typed.ts';
import { codeOf } from '../../host/error-code.ts';
import { nothingBehind, UsageError } from '../arguments.ts';
import { COMMANDS } from '../command-line/commands.ts';
import { meantValue } from '../command-line/mistakes.ts';
import { type Read, readArguments } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { type FirstFilm, FRAMINGS, firstFilm } from '../init/first-film.ts';
import { ignoreOutputs } from '../init/ignore-outputs.ts';
import { answersTo, canAsk, type Question } from '../init/questions.ts';
import { print, say } from '../outlets.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { INTERRUPTED } from '../terminal/signals.ts';

const IDEA = 'a red fox crossing a frozen river at dawn';
const SHOTS = '3';
/** Characters of a prompt, less what each shot adds. */
const LONGEST_IDEA = 400;

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('init', args);
  const [dir = '.', ...more] = positionals;
  nothingBehind(more, 'init', 'one folder');
  const folder = resolve(dir);
  const name = values.name ?? nameIn(basename(folder));
  const wrong =
    nameMistake(name) ?? (values.idea && ideaMistake(values.idea)) ?? (values.shots && shotsMistake(values.shots));
  if (wrong) throw new UsageError(wrong);
  const file = join(folder, `${name}.yaml`);
  // Nobody is asked for answers that would be thrown away.
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
    print(`${indentedJson({ version: 1, files, next })}\n`);
    return 0;
  }
  say(`wrote ${shown(file)}`);
  if (ignored) say(`${ignored.did === 'written' ? 'wrote' : 'added out/ to'} ${shown(ignored.path)}`);
  say(`next: ${next}`);
  return 0;
});

/** What no option says is asked at a terminal; undefined where somebody thought better of it. */
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
  const said = Object.fromEntries(questions.map(({ of }, at) => [of, answers[at]]));
  return {
    name,
    idea: idea ?? said.idea ?? IDEA,
    ratio: ratio ?? RATIOS.find(one => one === said.ratio) ?? RATIOS[0],
    shots: Number(shots ?? said.shots ?? SHOTS),
  };
}

const RATIOS = COMMANDS.init.options.ratio.oneOf;

const nameIn = (folder: string): string =>
  folder
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'film';

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

const isThere = (file: string): CommandError =>
  new CommandError(2, `${shown(file)} is there already, and is left as it is; give it another name with --name`);

const shown = (path: string): string => relative(resolve(), path) || path;
