/** `shotlist status [FILE]`: what runs, what waits for whom, what is open at the service, from any other terminal. */

import { statusOfFilm, statusOfProject } from '../../app/reports/project-status.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { statusText } from '../../show/text/status/status-text.ts';
import { nothingBehind } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { cutWidth, jsonText, print } from '../outlets.ts';
import { neverRun } from '../report/show-report.ts';

export const main = command('status', async ({ values, positionals }) => {
  const [file, ...more] = positionals;
  nothingBehind(more, 'status', 'one file');
  const films = file === undefined ? await statusOfProject() : await statusOfFilm(file, values.profile);
  const missing = file !== undefined && films.length === 0 ? neverRun(file) : undefined;
  if (missing && !values.json) throw missing;
  print(values.json ? jsonText({ version: 1, films }) : statusText(films, systemClock.now(), cutWidth()));
  return 0;
});
