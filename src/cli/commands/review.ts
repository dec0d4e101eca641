/** `shotlist review FILE`: takes side by side in a browser, chosen by a key, while a run goes on or without one. Until Ctrl-C. */
import { resolve } from 'node:path';
import { findProject } from '../../host/project.ts';
import { whoDecides } from '../../session/who-decides.ts';
import { oneFile, UsageError } from '../arguments.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { print, say } from '../outlets.ts';
import { hasDesktop } from '../review/has-desktop.ts';
import { messages } from '../review/review-messages.ts';
import { reviewOfFilm } from '../review/review-of-film.ts';
import { chooseService } from '../service/choose-service.ts';
import { givenName } from '../session/said-options.ts';
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
  const choice = await chooseService(file, values);
  await using after = new AsyncDisposableStack();
  const connection = choice.hosted ? await choice.connect() : undefined;
  after.defer(() => connection?.close());
  const { root } = await findProject(file, resolve());
  const me = await whoDecides({ given: values.as, environment: process.env, folder: root });
  const review = await reviewOfFilm({ file, values, choice, catalog: connection, who: me, port });
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
