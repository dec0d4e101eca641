/** Every exit code that a command ends with: the types hold the commands to this table, the reference and `--help` are made of it. */
import type { RunOutcome } from '../../model/run/event.ts';

interface Meaning {
  /** For `--help`. */
  readonly brief: string;
  readonly about: string;
}

export const EXIT_CODES = {
  0: {
    brief: 'done',
    about: 'All that was asked for is there: the film is made, the file has no mistake, the model has answered.',
  },
  1: {
    brief: 'a step failed',
    about:
      'A step failed, a model refused, or something could not be written; what was paid for is kept, and the same command goes on. Also what a bug in Shotlist itself ends with.',
  },
  2: {
    brief: 'the file, the settings or the command line is wrong',
    about: 'A mistake in the pipeline file, in the settings or on the command line. Nothing was sent.',
  },
  3: {
    brief: '--frozen or --exit-code, and something would be paid for',
    about:
      '`--frozen` allows no payment, and something is not owned yet; or `plan --exit-code` found something that a run would pay for, or may. Nothing was sent.',
  },
  4: {
    brief: 'a budget is reached',
    about:
      'Something does not fit into `budget`, or into `--max-usd`, and was not sent; what fits was made. The same command goes on when the number is raised.',
  },
  5: {
    brief: 'a person has to choose',
    about:
      'All else is done, and a `pick` or an `approve` waits for a person: no person was there, and nothing was decided before. The last words name each question and `shotlist review FILE`; the same command as before goes on from there.',
  },
  6: {
    brief: 'the service cannot be reached, or refuses the key',
    about:
      "The service could not be reached, or refuses the key; or a team's database does not answer. What is under way goes on, and is taken up by the next run.",
  },
  130: {
    brief: 'interrupted',
    about:
      'Ctrl-C, SIGTERM or a closed terminal ended it, or the reader of its events was gone before it was done. Generations go on at the service unless `--on-interrupt cancel` was given; the same command goes on.',
  },
} as const satisfies { readonly [code: number]: Meaning };

export type ExitCode = keyof typeof EXIT_CODES;

/** What a run ends its command with. */
export const EXIT_OF_OUTCOME = {
  ...{ done: 0, failed: 1, unwritable: 1, frozen: 3, budget: 4, waiting: 5, unreachable: 6, interrupted: 130 },
} as const satisfies { readonly [outcome in RunOutcome]: ExitCode };

/** What a run that did not begin is called for programs: as one that has begun. */
export const OUTCOME_OF_EXIT = {
  ...{ 0: 'done', 1: 'failed', 2: 'mistake', 3: 'frozen', 4: 'budget', 5: 'waiting', 6: 'unreachable' },
  130: 'interrupted',
} as const satisfies { readonly [code in ExitCode]: string };
