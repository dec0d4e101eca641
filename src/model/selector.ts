/**
 * How a step, an instance or a group of instances is picked, wherever one can be: `shot`, `shot[*]`, `shot[beat=3]` (every take of beat 3),
 * `shot[beat=3,take=2]`, `cleaned[beat=3]/repair` for what is inside another file. What is left out matches anything; the order of the coordinates
 * does not matter.
 */

import { closingBracket, type InstanceKey, type StepName } from './run/key.ts';
import { recordIn } from './text/json.ts';

export interface Selector {
  readonly step: StepName;
  /** Coordinates by name, each as it reads inside a key: of every name on the way, `cleaned[beat=3]/repair[ratio=9:16]`. */
  readonly coordinates: readonly ReadonlyMap<string, string>[];
}

/** Undefined where it is not written like one. */
export function parseSelector(text: string): Selector | undefined {
  const names: string[] = [];
  const coordinates: ReadonlyMap<string, string>[] = [];
  for (let rest = text.trim(); ; rest = rest.slice(1)) {
    const [name] = /^[^[\]/\s]+/.exec(rest) ?? [];
    if (name === undefined) return undefined;
    rest = rest.slice(name.length);
    const end = rest.startsWith('[') ? closingBracket(rest, 0) : -1;
    const inner = rest.slice(1, Math.max(1, end));
    const named = end < 0 || inner.trim() === '*' ? NONE : coordinatesIn(inner);
    if (!named || rest.length === end) return undefined;
    names.push(name);
    coordinates.push(named);
    rest = rest.slice(end + 1);
    if (rest === '') return { step: names.join('/') as StepName, coordinates };
    if (!rest.startsWith('/')) return undefined;
  }
}

/** The step that it names, also where the rest of it cannot be read: `shot[2]`. */
export const stepNamedIn = (text: string): StepName =>
  parseSelector(text)?.step ?? (/^[^[\s]*/.exec(text.trim())?.[0] as StepName);

/** `shot[beat=3,take=2],music`: commas between brackets or quotes belong to a selector. */
export function selectorsIn(text: string): readonly string[] {
  const texts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '[') at = closingBracket(text, at);
    else if (text[at] === ',') {
      texts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...texts, text.slice(start)].map(one => one.trim());
}

const NONE: ReadonlyMap<string, string> = new Map();

export function selects({ step, coordinates }: Selector, key: InstanceKey): boolean {
  const instance = parseSelector(key);
  return (
    instance?.step === step &&
    coordinates.every((wanted, place) =>
      [...wanted].every(([name, value]) => value === '*' || instance.coordinates[place]?.get(name) === value),
    )
  );
}

/** `beat=3,text="a, b"`; a list or an object is written as JSON. */
function coordinatesIn(text: string): ReadonlyMap<string, string> | undefined {
  const coordinates = new Map<string, string>();
  for (let rest = text.trim(); rest !== ''; ) {
    const [start, name] = /^([^\s=,"[\]{}]+)\s*=\s*/.exec(rest) ?? [];
    if (start === undefined || name === undefined) return undefined;
    rest = rest.slice(start.length);
    const value = valueAt(rest);
    if (value === undefined) return undefined;
    coordinates.set(name, plain(value));
    rest = rest.slice(value.length).trimStart();
    if (rest === '') return coordinates;
    if (!rest.startsWith(',') || rest.trim() === ',') return undefined;
    rest = rest.slice(1).trimStart();
  }
  return undefined;
}

function valueAt(text: string): string | undefined {
  if (text.startsWith('"')) return /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
  if (/^[[{]/.test(text)) return jsonAt(text);
  return /^[^,[\]"]+/.exec(text)?.[0].trimEnd();
}

/** The shortest beginning that is JSON: a comma inside belongs to it. */
function jsonAt(text: string): string | undefined {
  for (let end = 1; end <= text.length; end++) {
    if (!/[\]}]/.test(text[end - 1] ?? '')) continue;
    if (recordIn(text.slice(0, end)) !== undefined) return text.slice(0, end);
  }
  return undefined;
}

/** `"a"` is `a`: an author may quote what a key does not. */
function plain(value: string): string {
  const json = value.startsWith('"') ? recordIn(value) : undefined;
  return typeof json === 'string' ? json : value;
}

/**
 * Which part of a film a run makes, as selectors (`selector.ts`). Without `steps`, `only`, `from` and `until` it is all of it.
 */
export interface Selection {
  /** These and what they need. */
  readonly steps: readonly string[];
  /** These and nothing else: what they need must be here already. */
  readonly only: readonly string[];
  /** These and everything behind them, with what those need. Together with `until`: what lies between. */
  readonly from: readonly string[];
  /** These and everything before them. */
  readonly until: readonly string[];
  /** Not these. */
  readonly exclude: readonly string[];
  /** These are made once more, though they are owned. */
  readonly redo: readonly string[];
  /** Unix milliseconds from which on they count as made once more: the run that was first asked for it may have ended before its time. */
  readonly redoneSince?: number;
}

export const NO_SELECTION: Selection = { steps: [], only: [], from: [], until: [], exclude: [], redo: [] };
