/** What becomes of the params of a file inside it: which of them name media, and which decide how many instances there are. */
import { imagesField } from '../model/media/chat-images.ts';
import type { FieldSchema, ModelLibrary } from '../model/model.ts';
import { fieldOf } from '../model/model.ts';
import type { Step, Value } from '../model/pipeline.ts';
import type { CountedParam, Offer } from './checks/file-offer.ts';
import type { Expr } from './expression/tree.ts';
import { readCode } from './types/cel.ts';
import { valueReads } from './types/values.ts';

/** `offers`: what the files offer that its own steps use, by step. */
export function mediaParamsOf(
  steps: readonly Step[],
  offers: ReadonlyMap<string, Offer>,
  library: ModelLibrary,
): ReadonlySet<string> {
  const axes = steps.flatMap(step => step.fanOut.matrix);
  // A list of photos may be an axis: `matrix.photo` is one of `params.photos`.
  const handedOn = (value: Value, isAxis: boolean): readonly string[] =>
    valuesHandedOn(value).flatMap(({ root, name }) => {
      if (root === 'params') return [name];
      const lists = root === 'matrix' && !isAxis ? axes.filter(axis => axis.name === name) : [];
      return lists.flatMap(axis => handedOn(axis.values, true));
    });
  const places = steps.flatMap(step => mediaPlaces(step, offers.get(step.name), library));
  return new Set(places.flatMap(value => handedOn(value, false)));
}

/** The values of a step that lead to media. */
function mediaPlaces(step: Step, offer: Offer | undefined, library: ModelLibrary): readonly Value[] {
  if ('files' in step) return step.files.entries.map(({ value }) => value);
  if ('clips' in step) return [...step.clips.map(({ fields }) => fields), step.film].flatMap(mediaOfCut);
  if (!('with' in step)) return [];
  if (offer) return step.with.entries.flatMap(({ name, value }) => (offer.file.mediaParams.has(name) ? [value] : []));
  if (!('model' in step)) return [];
  return [step, ...(step.byModel?.variants.values() ?? [])].flatMap(({ model: label, with: request }) => {
    const model = library.get(label);
    return request.entries.flatMap(({ name, value }) => {
      const field = model && (fieldOf(model, name) ?? (name === 'images' ? imagesField(model) : undefined));
      return field && leadsToMedia(field) ? [value] : imagesShown(value);
    });
  });
}

/** `from` at any depth, and its short form. */
function mediaOfCut(value: Value): readonly Value[] {
  if (value.is === 'list') return value.items.flatMap(mediaOfCut);
  if (value.is !== 'map') return [];
  return value.entries.flatMap(({ name, value: inner }) => {
    if (name === 'subtitles') return [];
    if (inner.is === 'map') return mediaOfCut(inner);
    if (name === 'over') return mediaOfCut(inner);
    return MEDIA_OF_CUT.has(name) ? [inner] : [];
  });
}

const MEDIA_OF_CUT: ReadonlySet<string> = new Set(['from', 'beside', 'voice', 'music']);

const leadsToMedia = ({ media, format, items }: FieldSchema): boolean =>
  media !== undefined || format === 'uri' || (items !== undefined && leadsToMedia(items));

/** `image_url` in the parts of a message. */
function imagesShown(value: Value): readonly Value[] {
  if (value.is === 'list') return value.items.flatMap(imagesShown);
  if (value.is !== 'map') return [];
  return value.entries.flatMap(entry => (entry.name === 'image_url' ? leaves(entry.value) : imagesShown(entry.value)));
}

const leaves = (value: Value): readonly Value[] =>
  value.is === 'map' ? value.entries.flatMap(entry => leaves(entry.value)) : [value];

interface HandedOn {
  readonly root: string;
  readonly name: string;
}

/** What this may give as it is: `${{ params.clip }}`, either side of a condition, an item of a list. */
function valuesHandedOn(value: Value): readonly HandedOn[] {
  if (value.is === 'list') return value.items.flatMap(valuesHandedOn);
  if (value.is !== 'expression') return [];
  const read = readCode(value.code);
  if (read.is === 'path') return named(read.selections[0].segments);
  return read.is === 'program' ? givenBy(read.tree) : [];
}

function givenBy(tree: Expr): readonly HandedOn[] {
  switch (tree.op) {
    case 'read':
      return named(tree.segments);
    case 'choice':
      return [...givenBy(tree.yes), ...givenBy(tree.no)];
    case 'list':
      return tree.items.flatMap(givenBy);
    case 'index':
      return givenBy(tree.of);
    case 'loop':
      return tree.loop === 'filter' ? givenBy(tree.over) : [];
    default:
      return [];
  }
}

const named = ([root, name]: readonly { readonly name: string }[]): readonly HandedOn[] =>
  root && name ? [{ root: root.name, name: name.name }] : [];

export function countedParamsOf(
  steps: readonly Step[],
  offers: ReadonlyMap<string, Offer>,
): ReadonlyMap<string, CountedParam> {
  const counted = new Map<string, CountedParam>();
  const add = (values: readonly Value[], as: CountedParam) => {
    for (const { root, path } of values.flatMap(valueReads)) {
      const [name] = path;
      if (root === 'params' && name !== undefined && !counted.has(name)) counted.set(name, as);
    }
  };
  for (const step of steps) {
    const { matrix, include, exclude, takes, max } = step.fanOut;
    if (takes) add([takes], { step: step.name, by: 'takes', hasMax: false });
    if (max) add([max], { step: step.name, by: 'instances', hasMax: false });
    if (step.until) add([step.until.max], { step: step.name, by: 'rounds', hasMax: false });
    const lists = [...matrix.map(axis => axis.values), ...include, ...exclude];
    add(lists, { step: step.name, by: 'list', hasMax: max !== undefined });
    for (const { name, value } of 'with' in step ? step.with.entries : []) {
      const inner = offers.get(step.name)?.counted.get(name);
      if (inner) add([value], { ...inner, step: `${step.name}/${inner.step}` });
    }
  }
  return counted;
}
