/** What `data.*` reads: rows and texts as their files hold them, and of files that a glob matches their content and facts. */
import type { Json, JsonObject } from '../domain/json.ts';
import type { Pipeline, UsedFile } from '../domain/pipeline.ts';
import { mediaFrom, type PlanContext } from './plan-context.ts';
import type { PlanDiagnostics } from './plan-diagnostics.ts';
import { messages } from './plan-messages.ts';

export function dataValues(
  { data }: Pick<Pipeline, 'data'>,
  { localMedia }: Pick<PlanContext, 'localMedia'>,
  diagnostics: PlanDiagnostics,
): JsonObject {
  const values: Record<string, Json> = {};
  for (const one of data) {
    if (one.is === 'value') values[one.name] = one.value;
    else
      values[one.name] = one.paths.map(path => {
        const known = localMedia(path);
        if (known && 'unusable' in known)
          diagnostics.error('data-file', messages.unusableFile(`data.${one.name}`, path, known.unusable), one.at);
        const { sha256, bytes = 0, facts } = known && 'url' in known ? known : { sha256: '', facts: undefined };
        return { file: path, name: nameOf(path), sha256, bytes, media: { ...facts } };
      });
  }
  return values;
}

/** The same for each file that is used: paths are relative to its folder. */
export function dataOfUsedFiles(
  { steps }: Pipeline,
  { localMedia }: Pick<PlanContext, 'localMedia'>,
  diagnostics: PlanDiagnostics,
): ReadonlyMap<UsedFile, JsonObject> {
  const files = new Set(steps.flatMap(({ inside }) => (inside ? [inside.file] : [])));
  return new Map(
    [...files].map(file => {
      const beside = { localMedia: mediaFrom(file.folder, localMedia) };
      return [file, dataValues(file, beside, diagnostics.in(file.source))];
    }),
  );
}

/** `in/fox 2.jpg` → `fox 2` */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
