/** What a workflow of another system becomes: steps, params, outputs, and line by line what could not be carried over. */
import { modelLibrary } from '../../api/model-library.ts';
import { clipEnd } from '../../domain/cells.ts';
import { cleanText } from '../../domain/clean.ts';
import type { Json } from '../../domain/json.ts';

export type ImportedValue =
  | { readonly is: 'literal'; readonly value: Json }
  /** Of a step: its picture or film, or what it wrote. */
  | { readonly is: 'result'; readonly step: string; readonly makes: 'image' | 'video' | 'text' }
  | { readonly is: 'param'; readonly name: string }
  /** A file that lies beside the pipeline. */
  | { readonly is: 'file'; readonly path: string }
  /** One text, of all of them; `between`: a comma and a blank where it is not set. */
  | { readonly is: 'joined'; readonly parts: readonly ImportedValue[]; readonly between?: string }
  | { readonly is: 'list'; readonly items: readonly ImportedValue[] };

export interface ImportedStep {
  readonly name: string;
  /** A comment above it: what it was. */
  readonly was: string;
  /** A label of the interface document. */
  readonly model: string;
  readonly takes?: number;
  readonly fields: Readonly<Record<string, ImportedValue>>;
}

/** Clips one behind the other. */
export interface ImportedCut {
  readonly name: string;
  readonly was: string;
  readonly clips: readonly ImportedValue[];
}

export interface ImportedParam {
  readonly name: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly default?: Json;
  readonly about?: string;
}

export interface ImportedOutput {
  readonly name: string;
  readonly from: string;
  /** Below the project. */
  readonly to: string;
}

export interface Imported {
  readonly name: string;
  readonly from: string;
  readonly params: readonly ImportedParam[];
  readonly steps: readonly (ImportedStep | ImportedCut)[];
  readonly outputs: readonly ImportedOutput[];
  /** What could not be carried over, a sentence each. */
  readonly left: readonly string[];
  /** Files that have to lie beside the pipeline. */
  readonly files: readonly string[];
}

export const literal = (value: Json): ImportedValue => ({ is: 'literal', value });

/** Where a step's result goes: `out/fox-{take}.webp`. */
export function outputFile(name: string, step: ImportedStep | ImportedCut | undefined): string {
  if (step === undefined || 'clips' in step) return `out/${name}.mp4`;
  const takes = (step.takes ?? 1) > 1 ? '-{take}' : '';
  const format = step.fields.output_format;
  const still = format?.is === 'literal' ? String(format.value) : 'webp';
  return `out/${name}${takes}.${modelLibrary.get(step.model)?.produces === 'video' ? 'mp4' : still}`;
}

/** Nodes of one chain that are followed, by recursion. Graphs that persons draw have far fewer. */
export const MAX_CHAIN = 1_000;

/** A table that is looked up by names from a workflow: `constructor` and `__proto__` are no rows of it. */
export const byName = <T>(table: Readonly<Record<string, T>>): ReadonlyMap<string, T> => new Map(Object.entries(table));

/** A name or word of a workflow; `?` for any other value. */
export const wordIn = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '?';

/** A name from a workflow, for a message: one line of at most 60 cells. */
export const shownName = (name: string): string => clipEnd(cleanText(name.slice(0, 1_000)), 60);

/** `Node 3: Fox!` → `node_3_fox`; told apart from those that are taken by a number. */
export function stepName(text: string, taken: ReadonlySet<string>): string {
  const slug = text
    .normalize('NFKD')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40);
  const name = /^[a-z]/.test(slug) ? slug : `step${slug === '' ? '' : `_${slug}`}`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
