/** The kinds of steps. Of a step that has the keys of two, the first decides; `pipeline.schema.json` asks in the same order. */
import { child, type MapNode } from '../yaml/syntax-tree.ts';
import { approve } from './approve.ts';
import { command } from './command.ts';
import { cut } from './cut.ts';
import { generate } from './generate.ts';
import type { Kind, KindName } from './kind.ts';
import { pick } from './pick.ts';
import { tokenize } from './tokenize.ts';
import { uses } from './uses.ts';

export const KINDS: { readonly [K in KindName]: Kind<K> } = {
  run: command,
  tokenize,
  uses,
  cut,
  pick,
  approve,
  generate,
};

export type AnyKind = (typeof KINDS)[KindName];

export const allKinds = (): readonly AnyKind[] => Object.values(KINDS);

/** Only the presence of keys decides what kind of step it is. */
export const kindOf = (step: MapNode): AnyKind | undefined =>
  allKinds().find(({ key }) => child(step, key) !== undefined);

/** The kinds that have this key; none, where every step may have it, or none has. */
export const ownersOf = (key: string): readonly AnyKind[] =>
  allKinds().filter(kind => kind.key === key || kind.keys.includes(key));
