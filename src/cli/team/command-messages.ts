/** What commands about a team say. */

import { asTyped, cleanText } from '../../model/text/clean.ts';
import { listed } from '../../model/text/format.ts';
import { nearest } from '../../model/text/nearest.ts';
import { commandFor } from '../../team/client/team-messages.ts';
import type { ListedRun } from '../../team/runs/run-rows.ts';

export const commandMessages = {
  whichTeam: (names: readonly string[]) =>
    names.length === 0
      ? 'on which team? --on NAME, of `teams` in your settings (`shotlist explain teams`), or --on postgres://USER@HOST/DATABASE'
      : `on which team? --on ${names.join(', or --on ')}`,
  unreachable: (team: string, why: string) =>
    `the database of team ${team} cannot be reached (${why}); check its address, and that it is up`,
  waitsForDatabase: (unreachable: string) => `${unreachable}; this worker waits for it`,
  refused: (team: string, why: string) => `the database of team ${team} refuses: ${why}`,
  notAllowed: (team: string, why: string) =>
    `the login that is used on team ${team} may not do that (${why}): a person who submits films has the role shotlist_user, a worker shotlist_worker, and limits are set by the owner of the tables`,
  noRoles: (team: string) =>
    `separate logins for workers and persons need two roles, which this login may not create: shotlist team init --format sql --on ${asTyped(team)} prints the statements for an administrator`,
  trouble: (why: string) => `the team's database: ${why}`,
  whichRun: (command: string) => `which run? shotlist ${command} RUN; \`shotlist team list\` lists them`,
  unknownRun: (run: string, on: string, near: string | undefined) =>
    `there is no run ${cleanText(run)} on ${on}${near === undefined ? '' : `; did you mean ${near}?`}: \`shotlist team list --on ${asTyped(on)} --all\` lists them`,
  runOfFile: (
    file: string,
    command: string,
    { runs, on }: { readonly runs: readonly string[]; readonly on: string },
  ) =>
    runs.length === 0
      ? `${cleanText(file)} is a file, and ${withRun(command)} takes a run; none of it was handed in to ${on}`
      : `${cleanText(file)} is a file, and ${withRun(command)} takes a run; the newest of it: ${runs.join(', ')}`,
  notOfTeam: (command: string, options: readonly string[]) =>
    `${options.map(option => `--${option}`).join(' and ')} ${options.length === 1 ? 'is' : 'are'} for a film that was run here, and not for ${command} --on`,
  listsRuns: (on: string) => `the runs of a team: shotlist team list --on ${asTyped(on)} --all`,
  leftNoTrace: (run: string, status: string) =>
    status === 'queued' || status === 'led'
      ? `${run} has begun nothing yet: there is nothing to tell of it`
      : `${run} has left nothing to tell: all of it was owned before, or its events were deleted (\`shotlist team prune\`)`,
  unknownInRun: (text: string, run: string, known: readonly string[]) => {
    const near = nearest(text, known);
    return `${run} has no instance ${cleanText(text)}${near === undefined ? '' : `; did you mean ${asTyped(near)}?`}`;
  },
  logLater: (key: string, worker: string) =>
    `${cleanText(key)} is at work on ${cleanText(worker)}; what it writes is in the team's store when it has ended`,
  logGone: (key: string, to: string, why: string) => `what ${cleanText(key)} wrote cannot be had from ${to}: ${why}`,
  notHere: (count: number, to: string) =>
    `${count === 1 ? 'one result is' : `${count} results are`} neither here nor in ${to}, and not in the report`,
  nothingUnderWay: (on: string) =>
    `nothing is under way on ${on}; what was made: shotlist team list --on ${asTyped(on)} --all`,
  moreUnderWay: (count: number, on: string) => `… and ${count} more: shotlist team list --on ${asTyped(on)}`,
  otherProject: (run: string, theirs: string, ours: string) =>
    `${run} is of project ${theirs}, and this one is ${ours}: give the command in a clone of that one (\`project\` of the team's settings names it)`,
  notOver: (run: string, on: string) =>
    `${run} is not over yet; to see it: shotlist team watch ${run} --on ${asTyped(on)}`,
  fileChanged: (path: string, run: string) =>
    `${path} has changed since ${run} was handed in: this is what it was then`,
  underWay: ({ id, status, stop }: Pick<ListedRun, 'id' | 'status' | 'stop'>, on: string) =>
    stop === 'cancel'
      ? `${id} is being ended; resume it once it is cancelled: shotlist team watch ${id} --on ${asTyped(on)} tells when`
      : `${id} is ${status} already`,
  goesOnUnchanged: (paths: readonly string[], run: string, submit: string) =>
    `changed since ${run} was handed in: ${cleanText(paths.slice(0, 5).join(', '))}; ${run} goes on with what was handed in. To have it made as it is now: ${submit}`,
  othersChanged: (paths: readonly string[], run: string) =>
    `changed since ${run} was handed in, so that what was made of it may not be found: ${paths.slice(0, 5).join(', ')}`,
  plannedWithoutKey: (service: string) =>
    `no key of ${service} is on this machine, so that models and prices here are those that this version of Shotlist was made with; workers, which hold the key, ask ${service} for its own`,
  goesOn: (run: string, on: string) => `${run} goes on; to see it: shotlist team watch ${run} --on ${asTyped(on)}`,
  cancelTakesRun: (file: string) =>
    `\`${file}\` is a file, and with --on cancel takes a run; \`shotlist team list\` lists them`,
  isEnded: (run: string, status: string, on: string) =>
    status === 'led'
      ? `${run} is being ended by its worker, with what it has at the service; to see it: shotlist team watch ${run} --on ${asTyped(on)}`
      : `${run} is ended, as soon as a worker is free to end what it has at the service`,
  limitsOfWhat: () => 'limits of what? shotlist team limit SERVICE in_flight=40, with a service of your settings',
  studioHasNoLimits: () =>
    'the built-in studio of each worker is its own: limits are for a service that all of them share',
  limitsNeedKey: (name: string) =>
    `limits are those of a key, and none for ${name} is set here: give the command where a worker runs`,
  restoredWithoutService: (on: string) =>
    `what was sent since then is known to the service alone: shotlist team restored SERVICE --on ${asTyped(on)} looks there, where its key is`,
  notInTeam: (options: readonly string[]) =>
    `${listed(options.map(option => `--${option}`))} ${options.length === 1 ? 'is' : 'are'} of a film that is made here; leave ${options.length === 1 ? 'it' : 'them'} out, or --on`,
  watchesTeam: () =>
    '--watch shows what a team makes: give --on TEAM; a file is watched while it is drawn by `shotlist run --watch FILE`',
  workersAreThere: (names: readonly string[], on: string) =>
    `${cleanText(listed(names))} ${names.length === 1 ? 'was' : 'were'} at work within the last minute, and may go on with what the backup does not know: end the workers first, and wait for a minute; to go on all the same: shotlist team restored TIME --force --on ${asTyped(on)}, with the time of the backup`,
  badTime: (text: string) =>
    `\`${text}\` is no time; write that of the backup with its zone, like 2026-01-31T21:30:00Z, and none that is to come`,
  restoredSince: (newest: number) => `what was sent after ${new Date(newest).toISOString()} may have no row here`,
  restoredIsLookedFor: (on: string) =>
    `whatever is asked for from now on is looked for at its service before it is sent, and where that cannot tell you are asked; when all is well: shotlist team restored --forget --on ${asTyped(on)}`,
  restoredIsOver: (service: string | undefined) =>
    `what was sent since the backup is looked for no more${service === undefined ? '' : ` at ${service}`}: requests are sent as they come`,
  badLimit: (word: string, name: string, wanted: string) =>
    `\`${word}\` is no limit; write ${name === word ? 'LIMIT=N, like in_flight=40 or V-T2V-A=8' : `${name}= and ${wanted}`}`,
  badNumber: (option: string, text: string, wanted: string) => `--${option} is \`${text}\`; write ${wanted}`,
} as const;

/**
 * The line about what follows a decision that no waiting run took up, by the state of the film's newest run.
 * @param submit the command that makes the film where no run of it goes on.
 */
export function afterDecision(run: ListedRun | undefined, on: string, submit: string): string {
  const next = run && commandFor(run, { name: on });
  switch (run?.status) {
    case 'led':
      return `${run.id} is led by ${cleanText(run.leader ?? 'a worker')}, and acts on it before it ends; to see it: ${next}`;
    case 'queued':
      return `${run.id} acts on it when its turn comes; to see it: ${next}`;
    case 'waiting':
      return `${run.id} goes on within a minute; to see it: shotlist team watch ${run.id} --on ${asTyped(on)}`;
    case 'failed':
    case 'cancelled':
      return `${run.id} ${run.status === 'failed' ? 'has failed' : 'was cancelled'}; to go on with it: ${next}`;
    default:
      return `no run of it goes on; to have it made: ${submit}`;
  }
}

/** The command that goes on with a film: of its newest run, unless that one is done or there is none. */
export const goOnCommand = (run: ListedRun | undefined, on: string, submit: string): string => {
  if (run?.status === 'waiting') return `shotlist team resume ${run.id} --on ${asTyped(on)}`;
  return run && run.status !== 'done' ? commandFor(run, { name: on }) : submit;
};

/** As it is typed to be about a run. */
const withRun = (command: string) => `\`${command.startsWith('team ') ? command : `${command} --on`}\``;
