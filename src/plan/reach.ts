/** Files of this machine in requests: the built-in studio reads them where they are, a service on another machine cannot. */
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Plan } from '../domain/plan.ts';

/** What a service on another machine could not read, known before anything is paid for: once for each step. */
export function outOfReach({ instances, pipeline, service }: Plan): readonly Diagnostic[] {
  const sending = instances.filter(({ step, decision, request }) => {
    return (
      step.kind === 'generate' && (decision.is === 'run' || decision.is === 'maybe') && request && localFile(request)
    );
  });
  return [...new Set(sending.map(({ step }) => step))].map(({ name, at }) => ({
    severity: 'error',
    code: 'file-out-of-reach',
    message: `step \`${name}\` sends a file of this machine, and ${service} is on another; put the file where it can be read, and write its https:// address`,
    source: pipeline.source,
    span: at,
  }));
}

/** The first field that names a file of this machine. */
export function localFile(request: JsonObject): { readonly field: string; readonly url: string } | undefined {
  for (const [field, value] of Object.entries(request)) {
    for (const url of [value].flat()) if (typeof url === 'string' && /^file:/i.test(url)) return { field, url };
  }
  return undefined;
}
