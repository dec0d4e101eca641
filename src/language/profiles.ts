/**
 * `profiles:` → the file as one of them has it. A profile changes the tree before anything in it is read, so that everything that holds
 * for a file holds for its profiles too, and a mistake in one is reported at its own place.
 */
import type { Span } from '../model/diagnostic.ts';
import type { Output } from '../model/pipeline.ts';
import { apart, DRAFT, type Profile, placeIn } from '../model/profile.ts';
import { nearest } from '../model/text/nearest.ts';
import type { Findings } from './checks/findings.ts';
import { messages } from './messages/index.ts';
import { samePath } from './output-path.ts';
import { child, type Entry, type MapNode, type Node } from './yaml/syntax-tree.ts';

/** The profiles of a file. Reports changes of what is not there, in every profile. */
export function readProfiles(file: MapNode, wrong: ReadonlySet<Node>, findings: Findings): readonly Profile[] {
  const declared = entriesOf(file, 'profiles', wrong);
  for (const { name: profile, value } of declared) {
    if (value.is !== 'map') continue;
    for (const [section, unknown] of CHANGED) checkNames(value, profile, section, unknown, file, wrong, findings);
  }
  return declared.flatMap(({ name, nameAt, value }) => {
    const description = value.is === 'map' ? child(value, 'description') : undefined;
    const text = description?.is === 'scalar' && typeof description.value === 'string' && description.value;
    return wrong.has(value) ? [] : [{ name, at: nameAt, ...(text && { description: text }) }];
  });
}

const CHANGED = [
  ['models', messages.profileModel],
  ['params', messages.profileParam],
] as const;

function checkNames(
  profile: MapNode,
  called: string,
  section: string,
  unknown: (typeof CHANGED)[number][1],
  file: MapNode,
  wrong: ReadonlySet<Node>,
  findings: Findings,
): void {
  const there = child(file, section);
  // The file's own section is wrong, which is reported already.
  if (there && (there.is !== 'map' || wrong.has(there))) return;
  const known = there?.entries.map(({ name }) => name) ?? [];
  for (const { name, nameAt } of entriesOf(profile, section, wrong))
    if (!known.includes(name)) findings.add(unknown(name, called, nearest(name, known), known), nameAt);
}

/** The file as a profile has it; the file itself where it has none of that name. Nodes stay the ones they were. */
export function withProfile(file: MapNode, name: string, wrong: ReadonlySet<Node>): MapNode {
  const profile = sectionOf(file, name, wrong);
  if (!profile) return file;
  const given = (section: string) => entriesOf(profile, section, wrong);
  const models = over(section(file, 'models', wrong), known(given('models'), file, 'models'));
  const params = withValues(section(file, 'params', wrong), given('params'));
  const defaults = over(section(file, 'defaults', wrong), mergedWith(file, given('defaults'), wrong));
  return [
    ['models', models],
    ['params', params],
    ['defaults', defaults],
  ].reduce<MapNode>((whole, [key, value]) => (value ? replaced(whole, key as string, value as MapNode) : whole), file);
}

/** The profile as a map; undefined where there is none of that name. */
export function sectionOf(file: MapNode, name: string, wrong: ReadonlySet<Node>): MapNode | undefined {
  const value = entriesOf(file, 'profiles', wrong).find(entry => entry.name === name)?.value;
  return value?.is === 'map' && !wrong.has(value) ? value : undefined;
}

/** Films of a profile, and drafts, have places of their own, and none is a place of the real film. */
export function placedIn(
  outputs: readonly Output[],
  { profile, draft }: { readonly profile: string | undefined; readonly draft: boolean },
  findings: Findings,
): readonly Output[] {
  const named = apart(profile);
  const folders = new Set([...(named === undefined ? [] : [named]), ...(draft ? [DRAFT] : [])]);
  if (folders.size === 0) return outputs;
  const real = new Map(outputs.map(output => [samePath(output.to), output]));
  return outputs.map(output => {
    const to = [...folders].reduce((path, folder) => placeIn(folder, path), output.to);
    const taken = real.get(samePath(to));
    const where = named === undefined ? 'as a draft' : `in the profile \`${named}\``;
    if (taken) findings.add(messages.profileOutput(to, where, taken.name), output.toAt);
    return { ...output, to };
  });
}

export const isWithin = (at: Span, around: Span): boolean => at.start >= around.start && at.end <= around.end;

export function section(file: MapNode, name: string, wrong: ReadonlySet<Node>): MapNode | undefined {
  const node = child(file, name);
  return node?.is === 'map' && !wrong.has(node) ? node : undefined;
}

const entriesOf = (map: MapNode, name: string, wrong: ReadonlySet<Node>): readonly Entry[] =>
  section(map, name, wrong)?.entries.filter(({ value }) => !wrong.has(value)) ?? [];

/** Only what the file has itself: another name would have no reader, and is reported. */
const known = (entries: readonly Entry[], file: MapNode, name: string): readonly Entry[] => {
  const there = child(file, name);
  return entries.filter(entry => there?.is === 'map' && child(there, entry.name) !== undefined);
};

/** Entries stand in the place of those of the same name; undefined where there is nothing to change. */
function over(map: MapNode | undefined, entries: readonly Entry[]): MapNode | undefined {
  const [first] = entries;
  if (!first) return undefined;
  const names = new Set(entries.map(({ name }) => name));
  const others = map?.entries.filter(({ name }) => !names.has(name)) ?? [];
  return { is: 'map', at: map?.at ?? first.value.at, entries: [...others, ...entries] };
}

/** `defaults.with` is put together field by field. */
function mergedWith(file: MapNode, given: readonly Entry[], wrong: ReadonlySet<Node>): readonly Entry[] {
  const own = section(file, 'defaults', wrong);
  const shared = own && section(own, 'with', wrong);
  return given.map(entry => {
    if (entry.name !== 'with' || entry.value.is !== 'map' || !shared) return entry;
    return { ...entry, value: over(shared, entry.value.entries) ?? shared };
  });
}

/** A value in a profile is what the param is by default. */
function withValues(params: MapNode | undefined, given: readonly Entry[]): MapNode | undefined {
  if (!params) return undefined;
  const changed = given.flatMap(({ name, nameAt, value }) => {
    const param = params.entries.find(one => one.name === name);
    if (param?.value.is !== 'map') return [];
    const entries = [...param.value.entries.filter(one => one.name !== 'default'), { name: 'default', nameAt, value }];
    return [{ ...param, value: { ...param.value, entries } }];
  });
  const byName = new Map(changed.map(param => [param.name, param]));
  if (changed.length === 0) return undefined;
  return { ...params, entries: params.entries.map(param => byName.get(param.name) ?? param) };
}

function replaced(file: MapNode, name: string, value: MapNode): MapNode {
  const there = file.entries.find(entry => entry.name === name);
  const entry = { name, nameAt: there?.nameAt ?? value.at, value };
  return { ...file, entries: [...file.entries.filter(one => one !== there), entry] };
}
