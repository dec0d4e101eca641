/** The files that are made, and what makes them. */
import pipelineSchema from '../schema/pipeline.schema.json' with { type: 'json' };
import { modelLibrary } from '../src/api/model-library.ts';
import { reference } from '../src/cli/reference/contents.ts';
import type { JsonObject } from '../src/model/text/json.ts';
import { commandGuide } from './command-guide.ts';
import { editorSchema } from './editor-schema.ts';
import { pipelineTypes } from './pipeline-types.ts';
import { referencePage } from './reference-page.ts';

export const GENERATED: readonly { readonly path: string; readonly text: () => string }[] = [
  {
    path: 'schema/editor.schema.json',
    text: () => `${JSON.stringify(editorSchema(pipelineSchema as JsonObject, models()), null, 1)}\n`,
  },
  { path: 'src/sdk/pipeline.generated.ts', text: () => pipelineTypes(pipelineSchema as JsonObject, models()) },
  { path: 'pipelines/guide/commands.md', text: commandGuide },
  { path: 'schema/README.md', text: () => referencePage(reference(), models()) },
];

const models = () => modelLibrary.labels.map(label => modelLibrary.get(label)!);
