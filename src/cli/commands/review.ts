/** `shotlist review FILE`: takes side by side in a browser, chosen by a key, while a run goes on or without one. Until Ctrl-C. */
import { resolve } from 'node:path';
import { whoDecides } from '../../app/choices/who-decides.ts';
import { findProject } from '../../machine/files/project.ts';
import { oneFile, portIn } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { openForPerson, reviewOfFilm } from '../review/open-review.ts';
import { chooseService } from '../service/choose-service.ts';
import { givenName, leaveParamsOutOfTitle } from '../session/film-options.ts';

export const main = command('review', async ({ values, positionals }) => {
  givenName(values.as);
  const port = portIn(values.port);
  if (values.on !== undefined) return (await import('../team/review-of-run.ts')).reviewOfRun(positionals, values, port);
  const file = oneFile(positionals, 'review');
  leaveParamsOutOfTitle('review', file, values.param);
  const choice = await chooseService(file, values);
  await using after = new AsyncDisposableStack();
  const connection = choice.hosted ? await choice.connect() : undefined;
  after.defer(() => connection?.close());
  const { root } = await findProject(file, resolve());
  const me = await whoDecides({ given: values.as, environment: process.env, folder: root });
  const review = await reviewOfFilm({ file, values, choice, catalog: connection, who: me, port });
  after.defer(() => review.close());
  await openForPerson(review, values, me);
  return 0;
});
