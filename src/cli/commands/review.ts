/** `shotlist review FILE`: takes side by side in a browser, chosen by a key, while a run goes on or without one. Until Ctrl-C. */
import { resolve } from 'node:path';
import { asTyped } from '../../domain/as-typed.ts';
import type { Pipeline } from '../../domain/pipeline.ts';
import { systemClock } from '../../host/clock.ts';
import { findProject } from '../../host/project.ts';
import { catalogNowAndThen } from '../../session/review/catalog-now-and-then.ts';
import { startReview } from '../../session/review/start-review.ts';
import { whoDecides } from '../../session/who-decides.ts';
import { oneFile, UsageError } from '../arguments.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { print, say } from '../outlets.ts';
import { hasDesktop } from '../review/has-desktop.ts';
import { messages } from '../review/review-messages.ts';
import { chooseService } from '../service/choose-service.ts';
import { type FilmValues, filmOptions } from '../session/film-options.ts';
import { givenData, givenParams } from '../session/param-options.ts';
import { givenName } from '../session/said-options.ts';
import { filmToOpen } from '../session/session.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { leaveParamsOutOfTitle } from '../terminal/process-title.ts';
import { onInterruptOrClosedOutput } from '../terminal/signals.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('review', args);
  const file = oneFile(positionals, 'review');
  givenName(values.as);
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(messages.badPort(values.port));
  leaveParamsOutOfTitle('review', file, values.param);
  const { name: service, profile, elsewhere, chatBy, draft, key, hosted, connect } = await chooseService(file, values);
  await using after = new AsyncDisposableStack();
  const connection = hosted ? await connect() : undefined;
  after.defer(() => connection?.close());
  const catalog = connection && catalogNowAndThen(connection, systemClock);
  const params = { params: givenParams(values), data: givenData(values) };
  const film = () =>
    filmToOpen({
      ...{ file, ...params, key, to: 'look', service, profile },
      ...{ elsewhere, chatBy, draft, hosted: catalog },
    });
  const project = await findProject(file, resolve());
  const me = await whoDecides({ given: values.as, environment: process.env, folder: project.root });
  const review = await startReview({
    ...{
      project,
      file,
      profile,
      film,
      who: me,
      again: pipeline => againWith({ file, profile, values }, pipeline),
      clock: systemClock,
      port,
      log: say,
    },
  });
  after.defer(() => review.close());
  const { head, questions } = await review.look();
  if (head.closed !== null && questions.length === 0) throw new CommandError(2, head.closed);
  if (values.json) print(`${indentedJson({ version: 1, url: review.url, who: me })}\n`);
  else {
    print(`${review.url}\n`);
    say(messages.opened(me));
    if (head.closed !== null) say(head.closed);
  }
  const wantsOpen = !values['no-open'] && !values.json && process.stderr.isTTY === true;
  const problem = wantsOpen && hasDesktop(process.env) ? await review.show(process.env) : undefined;
  if (problem !== undefined) say(problem);
  await new Promise<void>(stop => {
    after.defer(onInterruptOrClosedOutput(() => stop()));
  });
  return 0;
});

interface Typed {
  readonly file: string;
  readonly profile: string | undefined;
  readonly values: FilmValues;
}

/** As a person types it to go on with the film; without the values of its secret params. */
function againWith({ file, profile, values }: Typed, pipeline: Pick<Pipeline, 'params'>): string {
  const options = filmOptions(values, pipeline);
  const named = profile === undefined ? [] : ['--profile', profile];
  return [...['shotlist', 'run', asTyped(file), ...named], ...(options === '' ? [] : [options])].join(' ');
}
