/** One thing of the reference: a word of a plan, a key, a function, a setting, an event, an exit code. Shown at the terminal and in Markdown. */

import { listed } from '../../model/text/format.ts';
import type { Json } from '../../model/text/json.ts';

export type Topic = 'word' | 'key' | 'function' | 'expression' | 'setting' | 'variable' | 'event' | 'failure' | 'exit';

export interface Entry {
  readonly topic: Topic;
  /** How it is asked for: `steps.matrix`, `size`, `SHOTLIST_UI`, `4`. */
  readonly name: string;
  /** Sentences in Markdown: code is in backquotes. */
  readonly about: string;
  /** What may be written, or what it holds: `text`, `whole number, 1 or more`. */
  readonly takes?: string;
  /** It cannot be left out. */
  readonly isRequired?: boolean;
  /** What holds where nothing is written. */
  readonly preset?: Json;
  /** Of a key of some kinds of steps: the keys that make a step one of those. */
  readonly of?: readonly string[];
  /** Where else it can be set, and how it is written: `flag`, `--ui`. */
  readonly facts?: readonly (readonly [name: string, text: string])[];
  /** YAML, expressions or values, as they are written; the shortest way to say it first. */
  readonly examples?: readonly string[];
  /** The entries inside it. */
  readonly parts?: readonly Entry[];
}

export interface Section {
  readonly title: string;
  /** Sentences in Markdown. */
  readonly about: string;
  readonly entries: readonly Entry[];
}

/** `steps.matrix` → `matrix`. */
export const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** `` `32` ``; empty where there is none. */
export const presetOf = ({ preset }: Entry): string =>
  preset === undefined ? '' : `\`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\``;

/** ``whole number (1 or more), default `32` ``. */
export const takesWithPreset = (entry: Entry): string =>
  [entry.takes ?? '', entry.preset === undefined ? '' : `default ${presetOf(entry)}`]
    .filter(part => part !== '')
    .join(', ');

/** ``a step with `model` or `run` ``; empty for what any has. */
export const ownersOf = ({ of = [] }: Entry): string =>
  of.length === 0
    ? ''
    : `a step with ${listed(
        of.map(key => `\`${key}\``),
        'or',
      )}`;

/** An entry and all entries inside it. */
export const withParts = (entry: Entry): readonly Entry[] => [entry, ...(entry.parts ?? []).flatMap(withParts)];
