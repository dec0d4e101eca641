/** `shotlist status [FILE]`: what runs, what waits for whom, what is open at the service, from any other terminal. */
import { systemClock } from '../../host/clock.ts';
import { statusOfFilm, statusOfProject } from '../../session/status.ts';
import { statusText } from '../../telling/status/status-text.ts';
import { nothingBehind } from '../arguments.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { print } from '../outlets.ts';
import { neverRun } from '../session/pipeline-text.ts';
import { indentedJson } from '../terminal/indented-json.ts';

const WIDTH_OF_A_PAGE = 100;

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('status', args);
  const [file, ...more] = positionals;
  nothingBehind(more, 'status', 'one file');
  // A pipe is read by a program, or by somebody who searches: nothing is cut for it.
  const width = process.stdout.isTTY === true ? (process.stdout.columns ?? WIDTH_OF_A_PAGE) : Number.POSITIVE_INFINITY;
  const films = file === undefined ? await statusOfProject() : await statusOfFilm(file, values.profile);
  const missing = file !== undefined && films.length === 0 ? neverRun(file) : undefined;
  if (missing && !values.json) throw missing;
  print(values.json ? `${indentedJson({ version: 1, films })}\n` : statusText(films, systemClock.now(), width));
  return 0;
});
