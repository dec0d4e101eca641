/** `shotlist team submit FILE --on TEAM`: the film is planned here, its files are packed, and a team's workers make it. */
import { resolve } from 'node:path';
import { LookedAt } from '../../../app/film/film-to-open.ts';
import { findProject, type Project } from '../../../machine/files/project.ts';
import type { Promotion } from '../../../model/run/promotion.ts';
import { asTyped } from '../../../model/text/clean.ts';
import { counted, formatUsd } from '../../../model/text/format.ts';
import type { JsonObject } from '../../../model/text/json.ts';
import type { Team } from '../../../team/client/open-team.ts';
import { type Submitted, submitFilm } from '../../../team/client/submit-film.ts';
import { UsageError, uiAsked } from '../../arguments.ts';
import { type Read, readArguments } from '../../command-line/read-arguments.ts';
import { CommandError, withExitCode } from '../../errors/command-error.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { jsonText, print, sayLine } from '../../outlets.ts';
import {
  fileAndSteps,
  givenData,
  givenParams,
  givenSelection,
  leaveParamsOutOfTitle,
  relativeToPipeline,
} from '../../session/film-options.ts';
import { readSource } from '../../session/pipeline-text.ts';
import { filmAtService } from '../../session/session.ts';
import { budgetsWithin } from '../../session/stop-if-paid.ts';
import { commandMessages as messages } from '../../team/command-messages.ts';
import { withTeam } from '../../team/on-team.ts';
import { checkedForTeam } from '../../team/plan-for-team.ts';
import { INTERRUPTED, onInterrupt } from '../../terminal/signals.ts';
import { watchHere } from './watch.ts';

type Values = Read<'team submit'>['values'];

export const main = withExitCode(async args => submitToTeam(readArguments('team submit', args)));

/** @param promotion what was picked in another profile, and is to be made in this one. */
export async function submitToTeam(
  { values, positionals }: Pick<Read<'team submit'>, 'values' | 'positionals'>,
  promotion?: Promotion,
): Promise<ExitCode> {
  const { file, steps } = fileAndSteps(positionals, 'team submit');
  leaveParamsOutOfTitle('submit', file, values.param);
  const priority = numberIn('priority', values.priority, /^-?\d{1,6}$/, 'a whole number') ?? 0;
  const maxUsd = numberIn('max-usd', values['max-usd'], /^\d+(\.\d+)?$/, 'US dollars, like 5 or 2.50');
  const ui = uiAsked(values);
  if (values.ui !== undefined && !values.watch)
    throw new UsageError('--ui says how it is watched: give --watch as well');
  const project = await findProject(file, resolve());
  return withTeam(
    values,
    async team => {
      const stop = new AbortController();
      const stopListening = onInterrupt(() => stop.abort(new CommandError(INTERRUPTED, 'nothing was handed in')));
      const asked = { file, steps, values, priority, maxUsd, project, promotion };
      const result = await submitted(asked, team, stop.signal);
      stopListening();
      const run = result.is === 'same' ? result.run.id : result.run;
      const isDocument = values.json && !values.watch;
      if (isDocument) print(jsonText({ version: 1, run, is: result.is }));
      else printSubmitted(result, team, run, values.watch ? 'it is watched' : 'nobody watches');
      if (!values.watch) return 0;
      return watchHere(run, { team, ui });
    },
    project,
  );
}

interface HandedIn {
  readonly file: string;
  readonly steps: readonly string[];
  readonly values: Values;
  readonly priority: number;
  readonly maxUsd: number | undefined;
  readonly project: Project;
  readonly promotion: Promotion | undefined;
}

async function submitted(
  { file, steps, values, priority, maxUsd, project, promotion }: HandedIn,
  team: Team,
  signal: AbortSignal,
): Promise<Submitted> {
  const selection = givenSelection(steps, values);
  const looking = new LookedAt([]);
  await using film = await filmAtService(file, values, {
    to: 'look',
    deployments: 'checked',
    ...{ selection, team, looking, promotion },
  });
  const { session, choice } = film;
  budgetsWithin(film, maxUsd);
  const { usd, unpriced } = session.plan.totals;
  const price = usd === 0 && unpriced > 0 ? null : usd;
  const params = givenParams(values);
  const data = relativeToPipeline(givenData(values), file);
  const { 'on-unknown': onUnknown } = values;
  const { manifest } = await checkedForTeam(session, { project, params, looked: looking.files }, team);
  if (!values.json) sayLine(plannedText(session.plan.instances.size, price, unpriced, choice.hosted));
  return await submitFilm(
    session,
    {
      ...{ project, profile: choice.profile, service: choice.name, source: readSource(file).text },
      ...{ params, manifest, priority, price },
      options: {
        ...(Object.keys(data).length > 0 && { data }),
        ...(selection && { selection: selection as unknown as JsonObject }),
        ...(maxUsd !== undefined && { maxUsd }),
        ...(choice.budget && { budget: choice.budget }),
        ...(onUnknown && { onUnknown }),
        ...(values['fail-fast'] && { failFast: true }),
        ...(promotion && { promotion: promotion as unknown as JsonObject }),
      },
    },
    { team, say: sayLine, signal },
  );
}

function plannedText(instances: number, usd: number | null, unpriced: number, hosted: boolean): string {
  const count = counted(instances, 'instance');
  if (!hosted) return `${count}, drawn by the built-in studio for nothing`;
  if (usd === null) return `${count}, at unknown prices`;
  return `${count}, about ${formatUsd(usd)}${unpriced > 0 ? ` and ${unpriced} without a known price` : ''}`;
}

function printSubmitted(
  submitted: Submitted,
  { name }: Team,
  run: string,
  then: 'it is watched' | 'nobody watches',
): void {
  print(`${run}\n`);
  const on = `--on ${asTyped(name)}`;
  if (submitted.is === 'same')
    sayLine(`the same is being made already, for ${submitted.run.askedBy}: nothing was handed in a second time`);
  else sayLine(`handed in, with ${counted(Object.keys(submitted.manifest).length, 'file')}`);
  if (then === 'it is watched') return;
  sayLine(`to see it: shotlist team watch ${run} ${on}`);
  sayLine(`to have it here when it is done: shotlist team fetch ${run} ${on}`);
}

function numberIn(
  option: keyof Values & string,
  text: string | undefined,
  form: RegExp,
  wanted: string,
): number | undefined {
  if (text === undefined) return undefined;
  if (form.test(text)) return Number(text);
  throw new UsageError(messages.badNumber(option, text, wanted));
}
