/** `shotlist attach FILE KEY GENERATION`: a generation that is at the service already becomes an instance's result. Nothing is paid. */

import { attach } from '../../app/choices/attach.ts';
import type { GenerationId } from '../../model/run/key.ts';
import { asTyped } from '../../model/text/clean.ts';
import { UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { say } from '../outlets.ts';
import { asArguments, type FilmValues, leaveParamsOutOfTitle } from '../session/film-options.ts';
import { oneInstance } from '../session/named-answers.ts';
import { filmAtService } from '../session/session.ts';
import { untilInterrupted } from '../terminal/signals.ts';
import { main as run } from './run.ts';

export const main = command('attach', async ({ values, positionals }) => {
  const [file, text, id, ...more] = positionals;
  if (file === undefined || text === undefined || id === undefined || more.length > 0)
    throw new UsageError("what goes where? shotlist attach FILE 'shot[beat=3]' GENERATION_ID");
  leaveParamsOutOfTitle('attach', file, values.param);
  const { force, ...ofRun } = values;
  const key = await journalled({ file, text, id: id as GenerationId, accept: force ? 'different' : 'same' }, values);
  // A run of that instance alone brings it home: it is looked at, kept and locked like any other, and nothing else is begun.
  return run([file, `--only=${key}`, `--redo=${key}`, '--frozen', ...asArguments(ofRun)]);
});

interface Attaching {
  readonly file: string;
  readonly text: string;
  readonly id: GenerationId;
  /** `different`: also what was asked otherwise than the film asks now. */
  readonly accept: 'same' | 'different';
}

async function journalled({ file, text, id, accept }: Attaching, values: FilmValues): Promise<string> {
  await using film = await filmAtService(file, values, { to: 'run' });
  const { session, service } = film;
  const key = oneInstance(text, session.plan);
  using stop = untilInterrupted();
  const outcome = await attach(session, { key, id, accept }, service, stop.signal);
  if (outcome.is !== 'attached') throw new CommandError(outcome.is === 'refused' ? 2 : 6, outcome.message);
  say(`${key} is generation ${asTyped(id)} from here on`);
  for (const note of outcome.notes) say(note);
  return key;
}
