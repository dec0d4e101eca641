/** A film as a command opens it: its file is read, and what is wrong with it is printed. */
import { resolve } from 'node:path';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Pipeline, Value } from '../../domain/pipeline.ts';
import { findProject } from '../../host/project.ts';
import type { FilmToOpen } from '../../session/film/film-to-open.ts';
import { type Film, openFilm } from '../../session/film/open-film.ts';
import { UsageError } from '../arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { neverWrite, say } from '../outlets.ts';
import { variableAccess } from '../service/settings-of.ts';
import { besidePipeline } from './param-options.ts';
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
    | 'said'
    | 'promotion'
    | 'journal'
    | 'looking'
  > {
  readonly file: string;
  readonly params: JsonObject;
  /** `--data`: which file stands in for which name, from where one stands. */
  readonly data?: { readonly [name: string]: string };
  /** Hears what is wrong with the film, after it is printed. */
  readonly alsoFound?: (diagnostics: readonly Diagnostic[]) => void;
}

/** @throws CommandError, JournalRefused, LockRefused. */
export async function openSession(options: SessionOptions): Promise<Session> {
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
      neverWrite(secrets);
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
    ...{ ...asked, source, project, data: besidePipeline(data ?? {}, file) },
    ...{ environment: process.env, access: await variableAccess(project) },
    found: diagnostics => {
      printDiagnostics(diagnostics);
      alsoFound?.(diagnostics);
    },
  };
}

/** Instances from which a film is planned and run for so long that the room for new objects matters. */
const LARGE = 1_000;
/** Characters: a text of this size says as much before it is read. */
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
