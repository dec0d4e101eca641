/** `shotlist team fetch RUN --on TEAM`: the run's outputs and its lock, beside the file here: a frozen run over what the team has. */
import { join, relative } from 'node:path';
import { filmEnvironment } from '../../../app/local-environment.ts';
import { lockKeeper, lockLeftOut } from '../../../app/results/keep-lock.ts';
import type { Project } from '../../../machine/files/project.ts';
import { CommandRunner } from '../../../machine/process/command-runner.ts';
import type { InstanceKey } from '../../../model/run/key.ts';
import { asTyped } from '../../../model/text/clean.ts';
import type { OwnedView } from '../../../records/views/owned.ts';
import { start } from '../../../run/engine/run.ts';
import type { Executor } from '../../../run/ports/executor.ts';
import { failureWords } from '../../../show/text/failure-text.ts';
import type { Team } from '../../../team/client/open-team.ts';
import { commandFor, reviewOfRun } from '../../../team/client/team-messages.ts';
import type { RunRow } from '../../../team/runs/run-rows.ts';
import { uiAsked } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { CommandError } from '../../errors/command-error.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { print, sayLine } from '../../outlets.ts';
import { openFilmOf } from '../../session/session.ts';
import { commandMessages as messages } from '../../team/command-messages.ts';
import { changedSince, filmOfRun, projectOfRun } from '../../team/film-of-run.ts';
import { oneRun, runNamed, withTeam } from '../../team/on-team.ts';
import { chooseReporters, type Ui } from '../../terminal/choose-reporters.ts';
import { onInterruptOrClosedOutput } from '../../terminal/signals.ts';
import { exitOf } from './watch.ts';

export const main = command('team fetch', async ({ values, positionals }) => {
  const id = oneRun(positionals, 'team fetch');
  const ui = uiAsked(values);
  return withTeam(values, async (team, here) => {
    const run = await runNamed(team, id, 'team fetch');
    const project = projectOfRun(run, here, team);
    if (run.status === 'queued' || run.status === 'led') throw new CommandError(1, messages.notOver(id, team.name));
    return await fetchRun(run, { team, ui, project });
  });
});

interface Fetching {
  readonly team: Team;
  readonly ui: Ui | undefined;
  readonly project: Project;
}

async function fetchRun(run: RunRow, { team, ui, project }: Fetching): Promise<ExitCode> {
  for (const line of await changedSince(run, project)) sayLine(line);
  await using after = new AsyncDisposableStack();
  const { choice, service, toOpen } = await filmOfRun(run, project, team);
  after.defer(() => service.close());
  const film = await openFilmOf({ ...toOpen(), to: 'run' });
  after.defer(() => film.close());
  const commands = new CommandRunner({
    environment: process.env,
    atOnce: choice.limits.commands,
    secrets: film.secrets,
  });
  after.defer(() => commands.close());
  const lock = lockKeeper(film);
  const again = `shotlist team fetch ${run.id} --on ${asTyped(team.name)}`;
  const shown = await chooseReporters(ui, {
    command: commandFor(run, team),
    film: `--on ${asTyped(team.name)}`,
    reviewCommand: reviewOfRun(run, team),
    fileOf: sha256 => film.store.file(sha256),
    who: async () => '',
  });
  after.defer(async () => {
    for (const reporter of shown.reporters) await reporter.close();
  });
  const environment = filmEnvironment(film, {
    ...{ choice, service, commands, lock, frozen: true, reporters: shown.reporters },
    settings: {
      ...{ root: film.root, keptIn: relative('', film.keptIn), resume: again },
      reserved: [project.pipelineFile, film.lockPath].map(path => relative(film.root, path)),
    },
  });
  const made = start(film.plan, {
    ...environment,
    executor: remakingExecutor(environment.executor, film.journal.views.owned),
  });
  after.defer(onInterruptOrClosedOutput(() => made.detach()));
  const outcome = await made.done;
  lockLeftOut(film, lock);
  await lock.close(outcome.is === 'done' ? { instances: [...film.plan.instances].map(({ key }) => key) } : undefined);
  const problem = lock.problem();
  if (problem !== undefined) sayLine(problem);
  if (ui !== 'json' && process.stdout.isTTY !== true)
    for (const { is, path } of outcome.outputs) if (is === 'written') print(`${relative('', join(film.root, path))}\n`);
  return exitOf({ status: 'failed', outcome });
}

/** Makes again what the run has made and the team's store has lost. What failed in the run, or was not reached, is not begun here. */
function remakingExecutor(executor: Executor, owned: OwnedView): Executor {
  const notBegun = (key: InstanceKey) => {
    const last = owned.lastFailure(key);
    const message = last ? failureWords(last.failure) : 'the run has not begun it';
    return { is: 'failed', failure: { code: 'frozen', message } } as const;
  };
  return {
    runCommand: async (work, turn, signal) =>
      owned.has(work.fingerprint) ? executor.runCommand(work, turn, signal) : notBegun(work.key),
    makeCut: async (work, turn, signal) =>
      owned.resultsOf(work.key).length > 0 ? executor.makeCut(work, turn, signal) : notBegun(work.key),
    download: (work, turn, signal) => executor.download(work, turn, signal),
    derive: (media, signal) => executor.derive(media, signal),
  };
}
