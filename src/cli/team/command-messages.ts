/** What commands about a team say. */
import { asTyped } from '../../domain/as-typed.ts';

export const commandMessages = {
  whichTeam: (names: readonly string[]) =>
    names.length === 0
      ? 'on which team? --on NAME, of `teams` in your settings (`shotlist explain teams`), or --on postgres://USER@HOST/DATABASE'
      : `on which team? --on ${names.join(', or --on ')}`,
  unreachable: (team: string, why: string) =>
    `the database of team ${team} cannot be reached (${why}); check its address, and that it is up`,
  refused: (team: string, why: string) => `the database of team ${team} refuses: ${why}`,
  notAllowed: (team: string, why: string) =>
    `the login that is used on team ${team} may not do that (${why}): whoever hands films in has the role shotlist_user, a worker shotlist_worker, and limits are set by the owner of the tables`,
  noRoles: (team: string) =>
    `logins of their own for workers and persons need two roles, which this login may not make: shotlist cluster init --print-sql --on ${asTyped(team)} tells them to somebody who may`,
  trouble: (why: string) => `the team's database: ${why}`,
  whichRun: (command: string) => `which run? shotlist ${command} RUN; \`shotlist list\` tells them`,
  unknownRun: (run: string, on: string) =>
    `there is no run ${run} on ${on}: \`shotlist list --on ${asTyped(on)} --all\` tells them`,
  otherProject: (run: string, theirs: string, ours: string) =>
    `${run} is of project ${theirs}, and this one is ${ours}: give the command in a clone of that one (\`project\` of the team's settings names it)`,
  notOver: (run: string, on: string) => `${run} is not over yet; to see it: shotlist watch ${run} --on ${asTyped(on)}`,
  fileChanged: (path: string, run: string) =>
    `${path} has changed since ${run} was handed in: this is what it was then`,
  othersChanged: (paths: readonly string[], run: string) =>
    `changed since ${run} was handed in, so that what was made of it may not be found: ${paths.slice(0, 5).join(', ')}`,
  nobodyWaited: (again: string) => `no run of it waited; to have it made: ${again}`,
  goesOn: (run: string, on: string) => `${run} goes on; to see it: shotlist watch ${run} --on ${asTyped(on)}`,
  cancelTakesRun: (file: string) =>
    `\`${file}\` is a file, and with --on cancel takes a run; \`shotlist list\` tells them`,
  isEnded: (run: string, status: string, on: string) =>
    status === 'led'
      ? `${run} is being ended by its worker, with what it has at the service; to see it: shotlist watch ${run} --on ${asTyped(on)}`
      : `${run} is ended, as soon as a worker is free to end what it has at the service`,
  limitsOfWhat: () => 'limits of what? shotlist cluster limit SERVICE, a service of your settings',
  studioHasNoLimits: () =>
    'the built-in studio of each worker is its own: limits are for a service that all of them share',
  limitsNeedKey: (name: string) =>
    `limits are those of a key, and none for ${name} is set here: give the command where a worker runs`,
  restoredWithoutService: (on: string) =>
    `what was sent since then is known to the service alone: shotlist cluster restored SERVICE --on ${asTyped(on)} tells it, where its key is`,
  badNumber: (option: string, text: string, wanted: string) => `--${option} is \`${text}\`; write ${wanted}`,
} as const;
