/** The files that are made, and what makes them. */
import pipelineSchema from '../schema/pipeline.schema.json' with { type: 'json' };
import { modelLibrary } from '../src/api/model-library.ts';
import type { JsonObject } from '../src/domain/json.ts';
import { editorSchema } from './editor-schema.ts';

export const GENERATED: readonly { readonly path: string; readonly text: () => string }[] = [
  {
    path: 'schema/editor.schema.json',
    text: () => `${JSON.stringify(editorSchema(pipelineSchema as JsonObject, models()), null, 1)}\n`,
  },
];

const models = () => modelLibrary.labels.map(label => modelLibrary.get(label)!);
