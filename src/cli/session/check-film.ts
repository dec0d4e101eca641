/**
 * Everything that can be found wrong with a film without a service: by the language, by planning with the params' defaults, and by a
 * look at the files it names. Nothing is written, and planning is loaded only where there is something to plan.
 */
import { type Diagnostic, isError, type Source } from '../../domain/diagnostic.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { ModelLibrary } from '../../domain/model.ts';
import type { Pipeline } from '../../domain/pipeline.ts';
import { FINAL, type Profile } from '../../domain/profile.ts';
import { type Compiled, type CompileOptions, compile } from '../../language/compile.ts';
import { hintsFor } from '../../language/hints.ts';
import { messages } from '../../language/messages/index.ts';
import { unsettledPart } from '../../language/settled-steps.ts';
import type { LocalFiles } from '../../session/local-files.ts';
import type { Places } from '../../session/output-places.ts';
import type { RemoteService } from '../service/remote-service.ts';

export interface CheckWorld {
  readonly library: ModelLibrary;
  readonly env: JsonObject;
  /** What the film reads beside itself. */
  readonly sources?: CompileOptions;
  readonly files: () => Promise<Pick<LocalFiles, 'get' | 'load' | 'read'>>;
  readonly places: Omit<Places, 'inputs'>;
  /** Checked alone; absent: all that the file has. */
  readonly profile?: string | undefined;
  /** The service on another machine that would make it; undefined where this one's files can be read. */
  readonly elsewhere?: RemoteService | undefined;
}

export interface CheckedFilm {
  /** There is one where the language found no error. */
  readonly pipeline?: Pipeline;
  readonly profiles: readonly Profile[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function checkFilm(source: Source, world: CheckWorld): Promise<CheckedFilm> {
  const film = await checkProfile(source, world, world.profile ?? FINAL);
  const others = world.profile === undefined ? film.profiles.filter(({ name }) => name !== FINAL) : [];
  const found = [...film.diagnostics];
  for (const profile of others) {
    const { diagnostics } = await checkProfile(source, world, profile.name);
    found.push(...foundOnlyIn(profile, diagnostics, found));
  }
  // A hint is for a film that has nothing else wrong with it.
  const isSound = found.length === film.diagnostics.length;
  return { ...film, diagnostics: isSound ? found : found.filter(({ severity }) => severity !== 'hint') };
}

/** What is wrong in this profile alone says so. Hints are about the file as a whole. */
function foundOnlyIn(
  { name, at }: Profile,
  diagnostics: readonly Diagnostic[],
  before: readonly Diagnostic[],
): readonly Diagnostic[] {
  const said = new Set(before.map(keyOf));
  const note = { message: messages.inProfile(name).message, span: at };
  return diagnostics
    .filter(one => one.severity !== 'hint' && !said.has(keyOf(one)))
    .map(one => ({ ...one, notes: [...(one.notes ?? []), note] }));
}

const keyOf = ({ source, span, code, message }: Diagnostic): string =>
  [source.path, span.start, span.end, code, message].join('\n');

async function checkProfile(source: Source, world: CheckWorld, profile: string): Promise<CheckedFilm> {
  const compiled = compile(source, world.library, { ...world.sources, profile });
  const { pipeline, diagnostics, profiles, ...parts } = compiled;
  const outOfReach =
    pipeline && world.elsewhere !== undefined ? await filesOutOfReach(pipeline, world, world.elsewhere) : [];
  const found = [...diagnostics, ...outOfReach];
  const film = unsettledParts(parts, world.library);
  const isNeeded = film.soundPart(found) !== undefined || film.readablePart(found) !== undefined;
  const planned = isNeeded ? await findByPlanning(film, found, world) : [];
  const all = [...found, ...planned];
  const hints = pipeline && all.length === 0 ? hintsFor(pipeline, world.library) : [];
  return { ...(pipeline && { pipeline }), diagnostics: [...all, ...hints], profiles };
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
  { library, env, files: open, places }: CheckWorld,
): Promise<readonly Diagnostic[]> {
  const [plan, files] = await Promise.all([import('../../plan/check.ts'), open()]);
  const context = { library, env, localMedia: (path: string) => files.get(path) };
  let planned = plan.findByPlanning(film, found, context);
  // The first plan names the files, and the next knows them.
  while (await files.load()) planned = plan.findByPlanning(film, found, context);
  if (!planned.plan || planned.plan.outputs.length === 0) return planned.diagnostics;
  const { takenPlaces } = await import('../../session/output-places.ts');
  return [...planned.diagnostics, ...(await takenPlaces(planned.plan, { ...places, inputs: files.read }))];
}

async function filesOutOfReach(
  pipeline: Pipeline,
  { library }: CheckWorld,
  { name, inputs, withoutKey }: RemoteService,
): Promise<readonly Diagnostic[]> {
  const { localFilesInPipeline, publishingWithoutKeyInPipeline } = await import('../../plan/local-file-check.ts');
  const film = { pipeline, library, service: name };
  return [
    ...localFilesInPipeline(pipeline, library, name, inputs),
    ...(withoutKey ? publishingWithoutKeyInPipeline(film, withoutKey) : []),
  ];
}

export const hasErrors = ({ diagnostics }: CheckedFilm): boolean => diagnostics.some(isError);
