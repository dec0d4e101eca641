/**
 * The key of a cut: what is seen and heard when, of which content. How clips are called and where their media lie is no part of it, nor
 * how the file says it: `out: 4s` of a clip that is four seconds long changes nothing.
 */
import { createHash } from 'node:crypto';
import type { Cut } from '../../domain/cut.ts';
import { canonical, type Json } from '../../domain/json.ts';
import type { Assembly } from './assembly.ts';

/** Counted up when the same cut is rendered into another film. */
const VERSION = 1;

export const fingerprintOfCut = ({ cut, take }: { readonly cut: Cut; readonly take?: number }): string =>
  digest({ v: VERSION, cut: counted(cut), ...(take !== undefined && { take }) });

/** While a clip is an address that is fetched first: by what was asked for. */
export const fingerprintOfAssembly = (
  { assembly, take }: { readonly assembly: Assembly; readonly take?: number },
  sources: { readonly content: (field: string) => string },
): string => {
  const content = counted(assembly, field => sources.content(field));
  return digest({ v: VERSION, assembly: content, ...(take !== undefined && { take }) });
};

/** What only people read. */
const NAMES: ReadonlySet<string> = new Set(['name', 'called', 'places']);

/** A source as its digest. @param contentAt what stands for a field of an assembly that names a medium. */
function counted(value: unknown, contentAt?: (field: string) => string): Json {
  if (Array.isArray(value)) return value.map(one => counted(one, contentAt));
  if (typeof value !== 'object' || value === null) return value as Json;
  if ('sha256' in value) return (value as { readonly sha256: string }).sha256;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (NAMES.has(name) || inner === undefined) return [];
      if (contentAt && name === 'media') return [[name, ([inner].flat() as readonly string[]).map(contentAt)] as const];
      return [[name, counted(inner, contentAt)] as const];
    }),
  );
}

const digest = (value: Json): string => createHash('sha256').update(canonical(value)).digest('hex');
