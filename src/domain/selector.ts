/**
 * How a step, an instance or a group of instances is picked, wherever one can be: `shot`, `shot[*]`, `shot[beat=3]` (every take of beat
 * 3), `shot[beat=3,take=2]`. What is left out matches anything; the order of the coordinates does not matter.
 */
import type { Json } from './json.ts';
import type { InstanceKey, StepName } from './key.ts';

export interface Selector {
  readonly step: StepName;
  /** Coordinates by name, each as it reads inside a key. */
  readonly coordinates: ReadonlyMap<string, string>;
}

/** Undefined where it is not written like one. */
export function parseSelector(text: string): Selector | undefined {
  const [, step, inner] = /^([^[\]\s]+?)(?:\[(.*)\])?$/s.exec(text.trim()) ?? [];
  if (step === undefined) return undefined;
  const coordinates = inner === undefined || inner.trim() === '*' ? new Map<string, string>() : coordinatesIn(inner);
  return coordinates && { step: step as StepName, coordinates };
}

export function selects({ step, coordinates }: Selector, key: InstanceKey): boolean {
  const instance = parseSelector(key);
  if (instance?.step !== step) return false;
  for (const [name, value] of coordinates) if (value !== '*' && instance.coordinates.get(name) !== value) return false;
  return true;
}

/** `beat=3,text="a, b"`; a list or an object stands as JSON. */
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
    if (parsed(text.slice(0, end)) !== undefined) return text.slice(0, end);
  }
  return undefined;
}

/** `"a"` is `a`: an author may quote what a key does not. */
function plain(value: string): string {
  const json = value.startsWith('"') ? parsed(value) : undefined;
  return typeof json === 'string' ? json : value;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
