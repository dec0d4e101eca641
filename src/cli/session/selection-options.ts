/** Which part of a film a command is about: steps behind the file, and `--only`, `--from`, `--until`, `--exclude`, `--redo`. */
import { NO_SELECTION, type Selection } from '../../domain/selection.ts';
import { selectorsIn } from '../../domain/selector.ts';
import { nothingBehind, UsageError } from '../arguments.ts';

type Given = { readonly [Name in 'only' | 'from' | 'until' | 'exclude' | 'redo']?: readonly string[] | undefined };

/** Undefined where all of the film is meant. @throws UsageError */
export function givenSelection(steps: readonly string[], given: Given): Selection | undefined {
  const all = (texts: readonly string[] = []) => texts.flatMap(selectorsIn);
  const selection = {
    ...NO_SELECTION,
    ...{ steps: all(steps), only: all(given.only), from: all(given.from) },
    ...{ until: all(given.until), exclude: all(given.exclude), redo: all(given.redo) },
  };
  const others = [...selection.steps, ...selection.from, ...selection.until];
  if (selection.only.length > 0 && others.length > 0)
    throw new UsageError(
      '--only means these and nothing else; leave out the steps behind the file, --from and --until',
    );
  const isEmpty = [...others, ...selection.only, ...selection.exclude, ...selection.redo].length === 0;
  return isEmpty ? undefined : selection;
}

/** The file, and the steps behind it. @throws UsageError */
export function fileAndSteps(
  positionals: readonly string[],
  command: string,
): { readonly file: string; readonly steps: readonly string[] } {
  const [file, ...steps] = positionals;
  if (file === undefined) throw new UsageError(`which file? shotlist ${command} FILE`);
  const files = steps.filter(text => /\.ya?ml$/i.test(text));
  nothingBehind(files, command, 'one file');
  return { file, steps };
}
