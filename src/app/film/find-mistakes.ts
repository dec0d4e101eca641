/**
 * The one list of what is wrong with a film: `check`, the editor, and all that open a film say it. It is found by the language, by planning
 * with what is known beforehand, and by a look at the files that the film names; no service is asked. Nothing is written, and planning is
 * loaded only where there is something to plan.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hintsFor } from '../../language/checks/hints.ts';
import { type Compiled, type CompileOptions, compile } from '../../language/compile.ts';
import { messages } from '../../language/messages/index.ts';
import { unsettledPart } from '../../language/steps/settled-steps.ts';
import type { Project } from '../../machine/files/project.ts';
import type { Diagnostic, Source } from '../../model/diagnostic.ts';
import type { ModelLibrary } from '../../model/model.ts';
import type { Pipeline } from '../../model/pipeline.ts';
import { FINAL, type Profile } from '../../model/profile.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import type { InputFiles } from '../../plan/media/local-file-check.ts';
import type { LocalFiles } from '../local-files.ts';
import type { Places } from '../results/output-places.ts';
import type { Machine } from './missing-programs.ts';

/** A service on another machine, which cannot read this one's files. */
export interface RemoteService {
  readonly name: string;
  readonly inputs: InputFiles;
  /** There is no key to publish with: where the bucket is set, and what to set. */
  readonly withoutKey?: { readonly where: string; readonly why: string };
}

export interface FilmWorld {
  readonly library: ModelLibrary;
  readonly env: JsonObject;
  /** What the film reads beside itself. */
  readonly sources?: CompileOptions;
  /** What its params are given; the others are as by default. */
  readonly params?: JsonObject;
  readonly files: () => Promise<Pick<LocalFiles, 'get' | 'load' | 'read'>>;
  readonly places: Omit<Places, 'inputs'>;
  /** Where programs of commands are looked for; absent: they are not. */
  readonly machine?: Machine | undefined;
  /** Looked at alone; absent: all that the file has. */
  readonly profile?: string | undefined;
  /** The service on another machine that would make it; undefined where this one's files can be read. */
  readonly elsewhere?: RemoteService | undefined;
}

/** The files around a film and its variables, as they are on this machine. A file's content is not read. */
export const worldOnDisk = (
  { pipelineFile, root, stateFolder }: Project,
  environment: Readonly<Record<string, string | undefined>>,
): Pick<FilmWorld, 'env' | 'files' | 'places' | 'machine'> => {
  const store = join(stateFolder, 'store');
  return {
    env: variablesIn(environment),
    ...(environment.PATH !== undefined && { machine: { root, path: environment.PATH } }),
    files: async () => {
      const { LocalFiles, unread } = await import('../local-files.ts');
      return new LocalFiles(dirname(resolve(pipelineFile)), { digest: unread }, root);
    },
    places: {
      root,
      store: async () =>
        existsSync(store) ? (await import('../../records/store/local-store.ts')).LocalStore.open(store) : undefined,
    },
  };
};

/** Those that are set. */
export function variablesIn(environment: Readonly<Record<string, string | undefined>>): JsonObject {
  const variables: Record<string, Json> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) variables[name] = value;
  return variables;
}

interface FilmFindings {
  /** There is one where the language found no error. */
  readonly pipeline?: Pipeline;
  readonly profiles: readonly Profile[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function findMistakes(source: Source, world: FilmWorld): Promise<FilmFindings> {
  const film = await findInProfile(source, world, world.profile ?? FINAL);
  const others = await findInOtherProfiles(source, world, film);
  // A hint is for a film that has nothing else wrong with it.
  const own = others.length === 0 ? film.diagnostics : film.diagnostics.filter(({ severity }) => severity !== 'hint');
  return { ...film, diagnostics: [...own, ...others] };
}

/** What is wrong in other profiles than the real film's and was not found there; nothing where the world names a profile. */
export async function findInOtherProfiles(
  source: Source,
  world: FilmWorld,
  { profiles, diagnostics: before }: Pick<FilmFindings, 'profiles' | 'diagnostics'>,
): Promise<readonly Diagnostic[]> {
  if (world.profile !== undefined) return [];
  const found: Diagnostic[] = [];
  for (const profile of profiles) {
    if (profile.name === FINAL) continue;
    const { diagnostics } = await findInProfile(source, world, profile.name);
    found.push(...foundOnlyIn(profile, diagnostics, [...before, ...found]));
  }
  return found;
}

/** Marks a mistake that only this profile has. Hints are about the file as a whole. */
function foundOnlyIn(
  { name, at }: Profile,
  diagnostics: readonly Diagnostic[],
  before: readonly Diagnostic[],
): readonly Diagnostic[] {
  const known = new Set(before.map(keyOf));
  const note = { message: messages.inProfile(name), span: at };
  return diagnostics
    .filter(one => one.severity !== 'hint' && !known.has(keyOf(one)))
    .map(one => ({ ...one, notes: [...(one.notes ?? []), note] }));
}

const keyOf = ({ source, span, code, message }: Diagnostic): string =>
  [source.path, span.start, span.end, code, message].join('\n');

async function findInProfile(source: Source, world: FilmWorld, profile: string): Promise<FilmFindings> {
  const compiled = compile(source, world.library, { ...world.sources, profile });
  const { pipeline, diagnostics, profiles, ...parts } = compiled;
  const outOfReach =
    pipeline && world.elsewhere !== undefined ? await filesOutOfReach(pipeline, world, world.elsewhere) : [];
  const found = [...diagnostics, ...outOfReach, ...(pipeline ? await programsNotHere(pipeline, world) : [])];
  const film = unsettledParts(parts, world.library);
  const isNeeded = film.soundPart(found) !== undefined || film.readablePart(found) !== undefined;
  const planned = isNeeded ? await findByPlanning(film, found, world) : [];
  const all = [...found, ...planned];
  const hints = pipeline && all.length === 0 ? hintsFor(pipeline, world.library) : [];
  return { ...(pipeline && { pipeline }), diagnostics: [...all, ...hints], profiles };
}

/** Only a film with commands loads the tables of planning for this. */
async function programsNotHere(pipeline: Pipeline, { machine }: FilmWorld): Promise<readonly Diagnostic[]> {
  if (!machine || !pipeline.steps.some(step => 'creates' in step)) return [];
  const { missingPrograms } = await import('./missing-programs.ts');
  return missingPrograms(pipeline.steps, pipeline, machine, 'warning');
}

type FilmParts = Pick<Compiled, 'soundPart' | 'readablePart'>;

/** Of each part, only what planning has to look at. */
const unsettledParts = ({ soundPart, readablePart }: FilmParts, library: ModelLibrary): FilmParts => ({
  soundPart: found => {
    const part = soundPart(found);
    return part && unsettledPart(part, library);
  },
  readablePart: found => {
    const part = readablePart(found);
    const pipeline = part && unsettledPart(part.pipeline, library);
    return pipeline && { ...part, pipeline };
  },
});

async function findByPlanning(
  film: FilmParts,
  found: readonly Diagnostic[],
  { library, env, params, files: open, places }: FilmWorld,
): Promise<readonly Diagnostic[]> {
  const [plan, files] = await Promise.all([import('../../plan/check.ts'), open()]);
  const context = { library, env, params, localMedia: (path: string) => files.get(path) };
  let planned = plan.findByPlanning(film, found, context);
  // The first plan names the files, and the next knows them.
  while (await files.load()) planned = plan.findByPlanning(film, found, context);
  if (!planned.plan || planned.plan.outputs.length === 0) return planned.diagnostics;
  const { takenPlaces } = await import('../results/output-places.ts');
  return [...planned.diagnostics, ...(await takenPlaces(planned.plan, { ...places, inputs: files.read }))];
}

async function filesOutOfReach(
  pipeline: Pipeline,
  { library }: FilmWorld,
  { name, inputs, withoutKey }: RemoteService,
): Promise<readonly Diagnostic[]> {
  const { localFilesInPipeline, publishingWithoutKey } = await import('../../plan/media/local-file-check.ts');
  return [
    ...localFilesInPipeline(pipeline, library, name, inputs),
    ...(withoutKey ? publishingWithoutKey(localFilesInPipeline(pipeline, library, name), withoutKey, 'warning') : []),
  ];
}
