/** What `data.*` reads: rows and texts as their files hold them, and of files that a glob matches their content and facts. */
import type { Json, JsonObject } from '../domain/json.ts';
import type { Pipeline } from '../domain/pipeline.ts';
import type { PlanContext } from './plan-context.ts';
import type { PlanDiagnostics } from './plan-diagnostics.ts';

export function dataValues(
  { data }: Pipeline,
  _context: Pick<PlanContext, 'localMedia'>,
  _diagnostics: PlanDiagnostics,
): JsonObject {
  const values: Record<string, Json> = {};
  for (const one of data) if (one.is === 'value') values[one.name] = one.value;
  return values;
}
