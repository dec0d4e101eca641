/** `shotlist run --watch FILE`: drafts on the built-in studio, drawn again at each save, until Ctrl-C. */
import { resolve } from 'node:path';
import { LocalStore } from '../../artifacts/local-store.ts';
import { asTyped } from '../../domain/as-typed.ts';
import { isRemote } from '../../domain/loopback.ts';
import { Refusal } from '../../domain/refusal.ts';
import { systemClock } from '../../host/clock.ts';
import { CommandRunner } from '../../host/command-runner.ts';
import { findProject } from '../../host/project.ts';
import { Redactor } from '../../host/redactor.ts';
import type { FilmToOpen } from '../../session/film/film-to-open.ts';
import { startReview } from '../../session/review/film-review.ts';
import { forDrafts } from '../../session/shared-results.ts';
import { stateFolders } from '../../session/state-folders.ts';
import { LiveFilm } from '../../session/watch/live-film.ts';
import { type WatchNews, watchFilm } from '../../session/watch/watch-film.ts';
import { whoDecides } from '../../session/who-decides.ts';
import { UsageError } from '../arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { unhandledSystemErrorText } from '../errors/unhandled-system-error.ts';
import { neverWrite, say } from '../outlets.ts';
import { hasDesktop } from '../review/has-desktop.ts';
import { chooseService } from '../service/choose-service.ts';
import { type FilmValues, filmOptions } from '../session/film-options.ts';
import { givenData, givenParams, paramFiles } from '../session/param-options.ts';
import { saidBeforehand } from '../session/said-options.ts';
import { fileAndSteps, givenSelection } from '../session/selection-options.ts';
import { filmToOpen } from '../session/session.ts';
import type { Ui } from '../terminal/choose-reporters.ts';
import { onInterruptOrClosedOutput } from '../terminal/signals.ts';
import { messages } from './watch-messages.ts';
import { folded, watchTeller } from './watch-teller.ts';

interface WatchValues extends FilmValues {
  readonly open: boolean;
  readonly as?: string | undefined;
  readonly ui?: Ui | undefined;
  readonly pick?: readonly string[] | undefined;
  readonly approve?: readonly string[] | undefined;
  readonly redo?: readonly string[] | undefined;
}

/** How often the studio of this process is asked how far it is, in milliseconds: a first picture is waited for. */
const PACE = { slow: 1_000, least: 100, progress: 100 };

/** @throws UsageError where the film goes to a service that bills. */
export async function watchRun(positionals: readonly string[], values: WatchValues): Promise<ExitCode> {
  const { file, steps } = fileAndSteps(positionals, 'run --watch');
  const settled = await chooseService(file, { ...values, draft: false });
  if (settled.hosted) throw new UsageError(messages.bills(settled.name));
  const choice = { ...(await chooseService(file, { ...values, draft: true, standBy: true })), pace: PACE };
  const [chat] = choice.chatBy?.split(' ') ?? [];
  if (chat !== undefined && isRemote(chat)) throw new UsageError(messages.chatBills(chat));
  const { name, profile, elsewhere, chatBy, key } = choice;
  const team = choice.store && forDrafts(choice.store);
  await using after = new AsyncDisposableStack();
  const service = await choice.connect();
  after.defer(() => service.close());
  const commands = new CommandRunner({
    ...{ environment: process.env, atOnce: choice.limits.commands, secrets: new Redactor([]) },
  });
  after.defer(() => commands.close());
  const film = async (isFirst: boolean): Promise<Omit<FilmToOpen, 'to' | 'found'>> => {
    const { found: _, ...asked } = await filmToOpen({
      ...{ file, params: givenParams(values), data: givenData(values), key, to: 'look', service: name, profile },
      ...{ elsewhere, store: team, chatBy, draft: true, hosted: undefined },
      selection: givenSelection(steps, { ...values, redo: isFirst ? values.redo : undefined }),
      said: isFirst ? await saidBeforehand(file, values) : undefined,
    });
    return { ...asked, compiled: (_pipeline, secrets) => neverWrite(secrets) };
  };
  const project = await findProject(file, resolve());
  const options = filmOptions({ ...values, draft: true }, { params: [] });
  const again = ['shotlist run', asTyped(file), options].join(' ');
  const live = new LiveFilm();
  const store = await LocalStore.open((await stateFolders(project, profile)).store);
  const tell = watchTeller(values.ui, { fileOf: sha256 => store.file(sha256), film: options });
  const hear = (news: WatchNews) => {
    live.hear(news);
    tell(news);
  };
  folded(messages.begins(file));
  // Who reads a pipe has no use for a page.
  if (process.stderr.isTTY === true || values.open) {
    const review = await startReview({
      // Where something is shown it is here: a page asks nobody else.
      film: async () => ({ ...(await film(false)), store: undefined }),
      ...{ project, file, profile, clock: systemClock, log: say, live },
      who: await whoDecides({ given: values.as, environment: process.env, folder: project.root }),
      again: () => again,
    });
    after.defer(() => review.close());
    say(messages.page(review.url));
    const problem = values.open && hasDesktop(process.env) ? await review.show(process.env) : undefined;
    if (problem !== undefined) say(problem);
  }
  const ending = new AbortController();
  after.defer(onInterruptOrClosedOutput(() => ending.abort()));
  const files = [file, ...paramFiles(values.param)].map(path => resolve(path));
  await watchFilm(
    { ...{ service, choice, commands, file, again, options, film, files, hear, wordsOf }, clock: systemClock },
    ending.signal,
  );
  say(messages.ended());
  return 0;
}

/** Undefined for a mistake of ours. */
function wordsOf(error: unknown): string | undefined {
  if (error instanceof CommandError || error instanceof UsageError || error instanceof Refusal) return error.message;
  return unhandledSystemErrorText(error);
}
