/** `shotlist run --watch FILE`: drafts on the built-in studio, drawn again at each save, until Ctrl-C. */
import { resolve } from 'node:path';
import { whoDecides } from '../../app/choices/who-decides.ts';
import type { FilmToOpen } from '../../app/film/film-to-open.ts';
import { forDrafts } from '../../app/results/team-store.ts';
import { startReview } from '../../app/review/film-review.ts';
import { stateFolders } from '../../app/state-folders.ts';
import { LiveFilm } from '../../app/watch/live-film.ts';
import { type OnNews, type WatchNews, watchFilm } from '../../app/watch/watch-film.ts';
import { findProject } from '../../machine/files/project.ts';
import { CommandRunner } from '../../machine/process/command-runner.ts';
import { Redactor } from '../../machine/redactor.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { isRemote } from '../../model/loopback.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { unreachable } from '../../model/run/failure.ts';
import { asTyped, cleanText } from '../../model/text/clean.ts';
import { LocalStore } from '../../records/store/local-store.ts';
import { hangingLines } from '../../show/reporters/hanging-lines.ts';
import { type FileOf, jsonReporter } from '../../show/reporters/json-lines.ts';
import { WatchLines } from '../../show/reporters/watch-lines.ts';
import { UsageError } from '../arguments.ts';
import { CommandError, unhandledSystemErrorText } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { addRedactions, print, say, withoutSecrets } from '../outlets.ts';
import { hasDesktop } from '../review/review-key.ts';
import { chooseService } from '../service/choose-service.ts';
import {
  type FilmValues,
  fileAndSteps,
  filmOptions,
  givenData,
  givenParams,
  givenSelection,
  paramFiles,
  presetAnswers,
} from '../session/film-options.ts';
import { printDiagnostics } from '../session/print-diagnostics.ts';
import { filmToOpen } from '../session/session.ts';
import type { Ui } from '../terminal/choose-reporters.ts';
import { onInterruptOrClosedOutput } from '../terminal/signals.ts';

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
      presets: isFirst ? await presetAnswers(file, values) : undefined,
    });
    return { ...asked, compiled: (_pipeline, secrets) => addRedactions(secrets) };
  };
  const project = await findProject(file, resolve());
  const options = filmOptions({ ...values, draft: true }, { params: [] });
  const again = ['shotlist run', asTyped(file), options].join(' ');
  const live = new LiveFilm();
  const store = await LocalStore.open((await stateFolders(project, profile)).store);
  const report = watchTeller(values.ui, { fileOf: sha256 => store.file(sha256), film: options });
  const onNews = (news: WatchNews) => {
    live.apply(news);
    report(news);
  };
  folded(messages.begins(file));
  // Who reads a pipe has no use for a page.
  if (process.stderr.isTTY === true || values.open) {
    const review = await startReview({
      // A page shows what is on this machine, and asks no team.
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
    { ...{ service, choice, commands, file, again, options, film, files, onNews, wordsOf }, clock: systemClock },
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

/** On standard error, folded for the terminal that is there. Secrets are taken out before: half of one would not be found any more. */
const folded = (line: string): void =>
  say(hangingLines(withoutSecrets(line), process.stderr.isTTY ? process.stderr.columns : undefined));

/** @param film options that say which film is meant, as they are typed. */
function watchTeller(ui: Ui | undefined, { fileOf, film }: { readonly fileOf: FileOf; readonly film: string }): OnNews {
  const lines = new WatchLines(ui === 'json' || ui === 'quiet' ? () => {} : folded, film);
  const json = ui === 'json' ? jsonReporter(line => print(`${line}\n`), fileOf) : undefined;
  let isGoing = false;
  return news => {
    switch (news.is) {
      case 'saved':
        return lines.saved(news.at, news.files);
      case 'mistaken':
        printDiagnostics(news.diagnostics);
        for (const words of news.words) if (words) folded(words);
        return lines.mistaken(systemClock.now(), isGoing);
      case 'held':
        for (const words of news.words) folded(words);
        return lines.held(systemClock.now());
      case 'advised':
        printDiagnostics(news.diagnostics);
        for (const words of news.words) folded(words);
        return;
      case 'same':
        return lines.same(systemClock.now());
      case 'planned':
        isGoing = true;
        return lines.planned(news.plan, news.cancelled, systemClock.now());
      case 'event':
        json?.report(news.event);
        return lines.event(news.event);
      case 'first_frame':
        return lines.firstFrame(news.key, news.at);
      case 'ended':
        isGoing = false;
        return;
      default:
        return unreachable(news);
    }
  };
}

const messages = {
  bills: (service: string): string =>
    `--watch draws a draft at each save, on the built-in studio, and this film goes to ${cleanText(service)}, which bills; add \`--service studio\`, or run it there without --watch`,
  chatBills: (url: string): string =>
    `--watch asks at each save, and chat is passed on to ${cleanText(url)}, which may bill; unset SHOTLIST_CHAT_UPSTREAM, or name one on this machine`,
  begins: (file: string): string =>
    `watching ${cleanText(file)}: save it, and what has changed is drawn again as a draft; nothing is paid; Ctrl-C ends`,
  page: (url: string): string => `  ${url}`,
  ended: (): string => 'watching has ended; what was made is kept',
};
