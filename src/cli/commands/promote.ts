/** `shotlist promote FILE`: makes in one profile what was picked in another, and nothing of what lost. Prices are shown first. */
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import {
  candidatesOf,
  meantProfile,
  notePicks,
  type Picked,
  pickedIn,
  profilesIn,
  promoting,
  undecided,
} from '../../app/choices/promote.ts';
import { stopUnlessReportable } from '../../app/reports/extra-reporters.ts';
import { reportTargets } from '../../app/reports/report-targets.ts';
import { findProject } from '../../machine/files/project.ts';
import { FINAL } from '../../model/profile.ts';
import { asTyped } from '../../model/text/clean.ts';
import { promotionLines } from '../../show/plan/promotion-text.ts';
import type { Team } from '../../team/client/open-team.ts';
import { UsageError } from '../arguments.ts';
import { COMMANDS } from '../command-line/commands.ts';
import { command, type Read, readArguments } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { say } from '../outlets.ts';
import { reportedIfNotBegun } from '../report/report-not-begun.ts';
import {
  asArguments,
  type FilmValues,
  fileAndSteps,
  filmOptions,
  givenSelection,
  isGiven,
  leaveParamsOutOfTitle,
} from '../session/film-options.ts';
import { readSource } from '../session/pipeline-text.ts';
import { filmAtService, type SessionOptions } from '../session/session.ts';
import { commandMessages as teamMessages } from '../team/command-messages.ts';
import { INTERRUPTED } from '../terminal/signals.ts';
import { main as run } from './run.ts';

export const main = command('promote', async asked => {
  const targets = reportTargets(asked.values.report);
  await stopUnlessReportable(targets);
  const wanted = { targets, file: asked.positionals[0] ?? '', environment: process.env };
  return reportedIfNotBegun(wanted, () => promoteFilm(asked));
});

async function promoteFilm({ values, positionals }: Read<'promote'>): Promise<ExitCode> {
  const { file, steps } = fileAndSteps(positionals, 'promote');
  leaveParamsOutOfTitle('promote', file, values.param);
  const { profile: to = FINAL, from, yes, on, watch, ...ofRun } = values;
  if (on === undefined && watch) throw new UsageError(teamMessages.watchesTeam());
  if (on !== undefined) stopUnlessOfTeam(ofRun);
  const selection = givenSelection(steps, ofRun);
  const { picked, open } = await inTeam(file, on, async team => {
    const picked = await draftOf({ file, from, to, values, team });
    return { picked, open: await showPrices(picked, { file, to, values, selection, team }) };
  });
  if (open.length > 0) throw new CommandError(5, openText(picked, open, { file, values, on }));
  const answer = yes || (await confirmed(`make it in ${to}?`));
  if (answer === undefined)
    throw new UsageError('no person is there to confirm: add --yes when these are the prices you expect');
  if (!answer) {
    say('nothing was made, and nothing is changed');
    return INTERRUPTED;
  }
  const film = [file, ...steps, `--profile=${to}`, ...asArguments(ofRun)];
  if (on !== undefined) {
    const { submitToTeam } = await import('./team/submit.ts');
    const more = [`--on=${on}`, ...(watch ? ['--watch'] : [])];
    return submitToTeam(readArguments('team submit', [...film, ...more]), picked.promotion);
  }
  await notePicks(picked.promotion, await findProject(file, resolve()), to);
  return run(film);
}

/** What is looked at is the team's where one is named, for as long as the work takes. */
async function inTeam<T>(
  file: string,
  on: string | undefined,
  work: (team: Team | undefined) => Promise<T>,
): Promise<T> {
  if (on === undefined) return work(undefined);
  const { withTeam } = await import('../team/on-team.ts');
  const trouble = (message: string) => say(teamMessages.trouble(message));
  return withTeam({ on, trouble }, work, await findProject(file, resolve()));
}

/** @throws UsageError for options of a run that is made here. */
function stopUnlessOfTeam(values: { readonly [option: string]: unknown }): void {
  const given = Object.keys(values).filter(name => isGiven(values[name]) && !(name in COMMANDS['team submit'].options));
  if (given.length > 0) throw new UsageError(teamMessages.notInTeam(given));
}

interface Asked {
  readonly file: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly values: Omit<FilmValues, 'profile'>;
  readonly team: Team | undefined;
}

/** Shows the prices, unless something is undecided: that is returned. */
async function showPrices(
  picked: Picked,
  { file, to, values, selection, team }: Omit<Asked, 'from'> & Pick<SessionOptions, 'selection'>,
): Promise<Picked['open']> {
  const { promotion } = picked;
  const given = { ...values, profile: to };
  await using film = await filmAtService(file, given, {
    ...{ to: 'look', deployments: 'checked', selection, promotion, team },
  });
  const { session } = film;
  const open = undecided(picked, session);
  const shown = promoting(picked, session, to);
  if (open.length === 0) for (const line of promotionLines(shown)) say(line);
  return open;
}

/** What was picked, in whatever state its own run has left it. */
async function draftOf({ file, from: given, to, values, team }: Asked): Promise<Picked> {
  const profiles = profilesIn(readSource(file), await findProject(file, resolve()));
  const from = given ?? meantProfile(profiles, to);
  if (from === undefined)
    throw new UsageError(
      profiles.length === 0
        ? `nothing can be picked in a profile that is not there: ${asTyped(file)} has no \`profiles\`, or mistakes, which \`shotlist check ${asTyped(file)}\` lists`
        : `picked in which profile? --from NAME, one of ${profiles.map(({ name }) => name).join(', ')}`,
    );
  if (from === to) throw new UsageError(`what is picked in ${to} is made there already: name two profiles`);
  await using film = await filmAtService(file, { ...values, profile: from }, { to: 'look', team });
  return pickedIn(film.session, from, film.service.account);
}

function openText(
  picked: Picked,
  open: Picked['open'],
  { file, values, on }: Pick<Asked, 'file' | 'values'> & { readonly on: string | undefined },
): readonly string[] {
  const { from } = picked.promotion;
  const named = open.slice(0, 5).join(', ') + (open.length > 5 ? ` and ${open.length - 5} more` : '');
  const film = asTyped(file);
  const options = filmOptions(values, picked.draft.pipeline);
  const inTeam = on === undefined ? '' : ` --on ${asTyped(on)}`;
  const meant = `${inTeam}${options === '' ? '' : ` ${options}`}`;
  const make = on === undefined ? 'run' : 'team submit';
  const left = asTyped([...new Set(open.flatMap(key => candidatesOf(picked, key)))].join(','));
  return [
    `in ${from} it is not decided yet: ${named}; and takes that were not picked are not made`,
    `  make it there:    shotlist ${make} ${film} --profile ${from}${meant}`,
    ...open.map(
      (key, at) =>
        `  ${at === 0 ? 'decide it:       ' : ' '.repeat(17)} shotlist pick ${film} ${asTyped(key)} take=… --profile ${from}${meant}`,
    ),
    `  or leave it out:  shotlist promote ${film} --exclude ${left}${meant}`,
  ];
}

/** Undefined without a terminal. An end of the input, or Ctrl-C, is no. */
async function confirmed(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  process.stdin.on('error', () => {});
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  try {
    return await new Promise<boolean>(resolve => {
      lines.on('close', () => resolve(false));
      lines.on('SIGINT', () => lines.close());
      lines.question(`${question} [y/N] `, answer => resolve(/^y(es)?$/i.test(answer.trim())));
    });
  } finally {
    lines.close();
  }
}
