/** A film as a command opens it: its file is read, and what is wrong with it is printed. */
import { resolve } from 'node:path';
import type { Service } from '../../api/service.ts';
import type { FilmToOpen } from '../../app/film/film-to-open.ts';
import { type Film, openFilm } from '../../app/film/open-film.ts';
import { findProject } from '../../machine/files/project.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Pipeline, Value } from '../../model/pipeline.ts';
import type { JsonObject } from '../../model/text/json.ts';
import type { Team } from '../../team/client/open-team.ts';
import { UsageError } from '../arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { addRedactions, say } from '../outlets.ts';
import { chooseService, type ServiceChoice } from '../service/choose-service.ts';
import { variableAccess } from '../service/settings-of.ts';
import { commandMessages as messages } from '../team/command-messages.ts';
import { type FilmValues, givenData, givenParams, relativeToPipeline } from './film-options.ts';
import { readSource } from './pipeline-text.ts';
import { printDiagnostics } from './print-diagnostics.ts';

export type Session = Film;

export interface SessionOptions
  extends Pick<
    FilmToOpen,
    | 'key'
    | 'to'
    | 'service'
    | 'profile'
    | 'draft'
    | 'hosted'
    | 'deployments'
    | 'elsewhere'
    | 'store'
    | 'chatBy'
    | 'committing'
    | 'selection'
    | 'presets'
    | 'promotion'
    | 'journal'
    | 'attempts'
    | 'looking'
  > {
  readonly file: string;
  readonly params: JsonObject;
  /** `--data`: files by the name that they replace, from the current folder. */
  readonly data?: { readonly [name: string]: string };
  /** Hears what is wrong with the film, after it is printed. */
  readonly alsoFound?: (diagnostics: readonly Diagnostic[]) => void;
}

/** @throws CommandError, JournalRefused, LockRefused. */
async function openSession(options: SessionOptions): Promise<Session> {
  const all: Diagnostic[] = [];
  const asked = await filmToOpen({
    ...options,
    alsoFound: diagnostics => {
      all.push(...diagnostics);
      options.alsoFound?.(diagnostics);
    },
  });
  return opened(asked, all);
}

/** The same of a text that lies in no file here. */
export async function openFilmOf(asked: Omit<FilmToOpen, 'found' | 'compiled'>): Promise<Session> {
  const all: Diagnostic[] = [];
  const found = (diagnostics: readonly Diagnostic[]) => {
    printDiagnostics(diagnostics);
    all.push(...diagnostics);
  };
  return opened({ ...asked, found }, all);
}

async function opened(asked: FilmToOpen, all: readonly Diagnostic[]): Promise<Session> {
  const { source } = asked;
  let tuned = source.text.length >= LARGE_TEXT ? await tunedForLargeFilm() : undefined;
  const opened = await openFilm({
    ...asked,
    waiting: say,
    compiled: async (pipeline, secrets) => {
      addRedactions(secrets);
      if (isLarge(pipeline)) tuned ??= await tunedForLargeFilm();
    },
  });
  switch (opened.is) {
    case 'open':
      // A plan only grows and a run leaves garbage: V8 would let that become as large as the plan before it collects any.
      tuned?.setFlagsFromString('--heap-growing-percent=60');
      return opened.film;
    case 'unselectable':
      throw new UsageError(...opened.messages);
    case 'mistaken':
      throw new CommandError(2, '', all);
    case 'unreachable':
      throw new CommandError(6, opened.message);
  }
}

/** What a command asks for, with the file read. */
export async function filmToOpen({ file, data, alsoFound, ...asked }: SessionOptions): Promise<FilmToOpen> {
  const source = readSource(file);
  const project = await findProject(file, resolve());
  return {
    ...{ ...asked, source, project, data: relativeToPipeline(data ?? {}, file) },
    ...{ environment: process.env, access: await variableAccess(project) },
    found: diagnostics => {
      printDiagnostics(diagnostics);
      alsoFound?.(diagnostics);
    },
  };
}

/** Instances from which a film is planned and run for so long that the room for new objects matters. */
const LARGE = 1_000;
/** Characters: a text of this size is a large film. */
const LARGE_TEXT = 20_000;

/** As far as it can be seen before it is planned: lists that come from params are not counted. */
const isLarge = ({ steps }: Pipeline): boolean =>
  steps.length >= LARGE ||
  steps.some(({ fanOut }) => product(fanOut.matrix.map(axis => lengthOf(axis.values))) >= LARGE);

const product = (factors: readonly number[]): number => factors.reduce((result, factor) => result * factor, 1);
const lengthOf = (values: Value): number => (values.is === 'list' ? values.items.length : 1);

/**
 * New objects get no more room than at the start: V8 would give them 50 MB in a long run, and nothing here is sooner done for it. V8's last
 * compiler stays off: its threads cost a rerun of 10,000 instances more processor time than their code saves, and a first run as well. For
 * a small film, loading `node:v8` would cost more than it saves.
 */
async function tunedForLargeFilm(): Promise<typeof import('node:v8')> {
  const v8 = await import('node:v8');
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  v8.setFlagsFromString('--no-turbofan');
  return v8;
}

export interface FilmAtService extends AsyncDisposable {
  readonly choice: ServiceChoice;
  /** The built-in studio is started by the first question that it is asked. */
  readonly service: Service;
  readonly session: Session;
  /** As it was opened. */
  readonly asked: SessionOptions;
}

interface Opening
  extends Pick<SessionOptions, 'looking' | 'to' | 'selection' | 'presets' | 'promotion' | 'committing' | 'alsoFound'> {
  /** Whether custom models that the film does not activate are checked to be up; absent: they are not. */
  readonly deployments?: 'checked';
  /** The team that owns the film: journal and results are the team's, and this machine needs no key. */
  readonly team?: Team | undefined;
}

/** @throws CommandError, UsageError, JournalRefused, LockRefused; nothing is left open then. */
export async function filmAtService(
  file: string,
  given: FilmValues,
  { deployments, team, ...opening }: Opening,
): Promise<FilmAtService> {
  const choice = team ? await choiceInTeam(file, given, team) : await chooseService(file, given);
  await using opened = new AsyncDisposableStack();
  const service = await choice.connect();
  opened.defer(() => service.close());
  const { name, profile, elsewhere, store, chatBy, draft, key } = choice;
  if (deployments && choice.hosted && !isAsked(choice, team)) say(messages.plannedWithoutKey(name));
  // The driver of PostgreSQL is loaded for a film of a team only.
  const journal = team && (await import('../../team/client/open-team.ts')).filmInTeam(team, service.account);
  const asked: SessionOptions = {
    ...{ file, params: givenParams(given), data: givenData(given), key, service: name, profile },
    ...{ elsewhere, store, chatBy, draft, hosted: isAsked(choice, team) ? service : undefined },
    attempts: choice.limits.attempts,
    ...(deployments && isAsked(choice, team) && { deployments: service }),
    ...(journal && { journal }),
    ...opening,
  };
  const session = await openSession(asked);
  opened.defer(() => session.close());
  for (const problem of session.shared?.takeProblems() ?? []) say(problem);
  const all = opened.move();
  return { choice, service, session, asked, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Results go where all of the team finds them. */
async function choiceInTeam(file: string, given: FilmValues, { store }: Team): Promise<ServiceChoice> {
  const choice = await chooseService(file, { ...given, keyless: true });
  return { ...choice, ...(store && { store }) };
}

/** A machine without the key of a team's service asks it for nothing: its models are those that are known here. */
const isAsked = ({ hosted, key }: ServiceChoice, team: Team | undefined): boolean =>
  hosted && !(team && (key === null || key === undefined));
