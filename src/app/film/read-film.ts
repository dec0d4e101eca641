/** First step of opening a film: its text becomes a pipeline, in the models that the service offers. */
import { dirname, resolve } from 'node:path';
import { modelLibrary } from '../../api/model-library.ts';
import { compile } from '../../language/compile.ts';
import { readIfThere } from '../../machine/files/files.ts';
import type { Project } from '../../machine/files/project.ts';
import type { Redactor } from '../../machine/redactor.ts';
import { type Diagnostic, isError } from '../../model/diagnostic.ts';
import type { ModelLibrary } from '../../model/model.ts';
import type { Pipeline } from '../../model/pipeline.ts';
import { type Profile, profileMistake } from '../../model/profile.ts';
import { readSettingsFile } from '../../settings/settings-file.ts';
import { diskProjectFiles } from '../disk-project-files.ts';
import { LocalFiles } from '../local-files.ts';
import { type ModelsInUse, modelsOf } from '../service/models-of-service.ts';
import { secretTexts } from '../service/secret-texts.ts';
import type { FilmToOpen, Unopened } from './film-to-open.ts';
import { type FilmWorld, findMistakes, type RemoteService, worldOnDisk } from './find-mistakes.ts';

export interface FilmRead {
  readonly is: 'read';
  readonly pipeline: Pipeline;
  /** What is odd about its text, and no mistake. */
  readonly diagnostics: readonly Diagnostic[];
  readonly profiles: readonly Profile[];
  /** What all that is wrong with it is found in. */
  readonly world: FilmWorld;
  readonly models: ModelsInUse;
  /** What is neither shown nor kept. */
  readonly secrets: Redactor;
}

/** A service is asked only about a film that has no other mistakes. */
export async function readFilm(asked: FilmToOpen): Promise<FilmRead | Unopened> {
  const { source, project, profile, found } = asked;
  const onDisk = diskProjectFiles(project.pipelineFile, project.root);
  const folder = dirname(resolve(project.pipelineFile));
  const files = asked.looking?.noting(onDisk, folder) ?? onDisk;
  const compiling = { files, data: asked.data ?? {}, profile, draft: asked.draft, access: asked.access };
  const worldWith = (library: ModelLibrary): FilmWorld => ({
    ...worldOnDisk(project, asked.environment),
    ...{ library, sources: compiling, params: asked.params, profile, elsewhere: remoteService(asked) },
    ...(asked.readingFiles && { files: async () => new LocalFiles(folder, asked.readingFiles, project.root) }),
  });
  const mistakenWith = async (library: ModelLibrary): Promise<Unopened> => {
    found((await findMistakes(source, worldWith(library))).diagnostics);
    return { is: 'mistaken' };
  };
  if (asked.hosted) {
    const { diagnostics } = compile(source, modelLibrary, compiling);
    if (!diagnostics.filter(isError).every(({ code }) => code === 'unknown-model')) return mistakenWith(modelLibrary);
  }
  const models = await modelsOf(asked.hosted, asked);
  if (models.is === 'unreachable') return models;
  const { pipeline, diagnostics, profiles } = compile(source, models.library, compiling);
  const unknown = pipeline && profileMistake(profile, profiles);
  if (unknown !== undefined) return { is: 'unselectable', messages: [unknown] };
  if (!pipeline) return mistakenWith(models.library);
  const secrets = secretTexts(asked.key, pipeline, { environment: asked.environment, params: asked.params });
  await asked.compiled?.(pipeline, secrets);
  const film = await markedAsSet(pipeline, project);
  return { is: 'read', pipeline: film, diagnostics, profiles, world: worldWith(models.library), models, secrets };
}

function remoteService({ elsewhere, service: name }: FilmToOpen): RemoteService | undefined {
  if (!elsewhere) return undefined;
  const { publish } = elsewhere;
  if (!publish) return { name, inputs: 'stay here' };
  const missing = publish.credentials?.is === 'none' ? publish.credentials.message : undefined;
  const withoutKey = missing === undefined ? undefined : { where: publish.settings.where, why: missing };
  return { name, inputs: 'are published', ...(withoutKey && { withoutKey }) };
}

async function markedAsSet(pipeline: Pipeline, project: Project): Promise<Pipeline> {
  if (!(await isUnmarked(project))) return pipeline;
  return { ...pipeline, outputs: pipeline.outputs.map(output => ({ ...output, unmarked: true })) };
}

/** Whether the project's settings say that its outputs are not marked. What chooses a service reports mistakes in the settings. */
export async function isUnmarked({ settingsFile }: Pick<Project, 'settingsFile'>): Promise<boolean> {
  const { choices } = readSettingsFile(await readIfThere(settingsFile), 'project', []);
  return choices.marking === 'none';
}
