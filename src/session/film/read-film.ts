/** First step of opening a film: its text becomes a pipeline, in the models that the service offers. */
import { dirname, resolve } from 'node:path';
import { modelLibrary } from '../../api/model-library.ts';
import { isError } from '../../domain/diagnostic.ts';
import type { Pipeline } from '../../domain/pipeline.ts';
import { profileMistake } from '../../domain/profile.ts';
import type { Redactor } from '../../host/redactor.ts';
import { compile } from '../../language/compile.ts';
import { diskProjectFiles } from '../disk-project-files.ts';
import { type ModelsInUse, modelsOf } from '../models-of-service.ts';
import { secretTexts } from '../secret-texts.ts';
import type { FilmToOpen, Unopened } from './film-to-open.ts';

export interface FilmRead {
  readonly is: 'read';
  readonly pipeline: Pipeline;
  readonly models: ModelsInUse;
  /** What is neither shown nor kept. */
  readonly secrets: Redactor;
}

/** A service is asked only about a film that has no other mistakes. */
export async function readFilm(asked: FilmToOpen): Promise<FilmRead | Unopened> {
  const { source, project, profile, found } = asked;
  const onDisk = diskProjectFiles(project.pipelineFile, project.root);
  const files = asked.looking?.noting(onDisk, dirname(resolve(project.pipelineFile))) ?? onDisk;
  const compiling = { files, data: asked.data ?? {}, profile, access: asked.access };
  if (asked.hosted) {
    const { diagnostics } = compile(source, modelLibrary, compiling);
    if (!diagnostics.filter(isError).every(({ code }) => code === 'unknown-model')) {
      found(diagnostics);
      return { is: 'mistaken' };
    }
  }
  const models = await modelsOf(asked.hosted, asked);
  if (models.is === 'unreachable') return models;
  const { pipeline, diagnostics, profiles } = compile(source, models.library, compiling);
  const unknown = pipeline && profileMistake(profile, profiles);
  if (unknown !== undefined) return { is: 'unselectable', messages: [unknown] };
  found(diagnostics);
  if (!pipeline) return { is: 'mistaken' };
  const secrets = secretTexts(asked.key, pipeline, { environment: asked.environment, params: asked.params });
  await asked.compiled?.(pipeline, secrets);
  return { is: 'read', pipeline, models, secrets };
}
