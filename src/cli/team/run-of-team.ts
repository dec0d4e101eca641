/** What commands about one run of a team have in common: which run, of which team. */
import { join, resolve } from 'node:path';
import { findProject, type Project } from '../../host/project.ts';
import { UsageError } from '../arguments.ts';
import { commandMessages as messages } from './command-messages.ts';

/** @throws UsageError */
export function oneRun(positionals: readonly string[], command: string): string {
  const [run, ...more] = positionals;
  if (run === undefined) throw new UsageError(messages.whichRun(command));
  if (more.length > 0) throw new UsageError(`shotlist ${command} takes one run; ${more.join(' ')} is too much`);
  return run;
}

/** The project that one stands in, where no file of it was named. */
export const projectHere = (): Promise<Project> => findProject(join(resolve(), 'film.yaml'), resolve());
