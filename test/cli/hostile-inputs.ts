/** A file and a model whose every text is one that somebody else wrote. */
import { entry } from './catalog-entry.ts';

/** As its author wrote it: the characters themselves stand in the file. */
export const wrongFile = (payload: string): string => `shotlist: 1
name: film
steps:
  shot:
    model: V-T2V-X # ${payload}
    with: { prompt: ${payload}, prompt: x }
  ${payload}: { run: [echo] }
  copied: { needs: [${payload}], run: "echo \${{ params.${payload} }}" }
`;

export const modelWith = (payload: string) => ({
  ...entry,
  ...{ id: payload, display_name: payload, description: payload, summary: payload, owned_by: payload },
  developer: { name: payload, logo: payload },
  source_model: payload,
  deployments: [{ status: payload as never }],
  fine_tuning: { actions: [payload], cost_per_second: 1 } as never,
  capabilities: { input: [payload], output: [payload] },
  request_schema: {
    type: 'object',
    required: [payload],
    properties: { [payload]: { type: 'string', description: payload, enum: [payload], default: payload } },
  } as never,
});
