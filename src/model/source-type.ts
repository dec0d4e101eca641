/**
 * The declaration of a film or picture about itself: IPTC's digital source type, for what models or the studio made. Regulation (EU) 2024/1689,
 * Article 50(2), asks that synthetic media be marked in a machine-readable way. The terms are those of IPTC's vocabulary,
 * http://cv.iptc.org/newscodes/digitalsourcetype/.
 */

/** What a piece of media is made of: `edited` is an author's own footage that a model worked on. */
export type Origin = 'model' | 'studio' | 'edited' | 'own';

const SOURCE_TYPES = [
  'trainedAlgorithmicMedia',
  'algorithmicMedia',
  'compositeSynthetic',
  'compositeWithTrainedAlgorithmicMedia',
] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export const isSourceType = (text: string | undefined): text is SourceType => SOURCE_TYPES.some(type => type === text);

const OF_ONE: { readonly [O in Origin]: SourceType | undefined } = {
  model: 'trainedAlgorithmicMedia',
  studio: 'algorithmicMedia',
  edited: 'compositeWithTrainedAlgorithmicMedia',
  own: undefined,
};

/** Undefined where nothing synthetic is in it: then there is nothing to mark. */
export function sourceTypeOf(origins: ReadonlySet<Origin>): SourceType | undefined {
  const [first, ...others] = origins;
  if (first === undefined) return undefined;
  return others.length === 0 ? OF_ONE[first] : 'compositeSynthetic';
}

/** `none`: there is something synthetic in it, and the file or the settings say that it is not to be marked. */
export type Marked = SourceType | 'none';

export const markedText = (marked: Marked): string =>
  marked === 'none' ? 'not marked as synthetic' : `marked as ${marked}`;

export const sourceTypeAddress = (type: SourceType): string => `http://cv.iptc.org/newscodes/digitalsourcetype/${type}`;

/** What an author's own file is by its mark: a film of Shotlist may be footage of the next. */
export function originOf(sourceType: string | undefined): Origin {
  if (sourceType === 'trainedAlgorithmicMedia') return 'model';
  if (sourceType === 'algorithmicMedia') return 'studio';
  return sourceType?.startsWith('composite') && sourceType !== 'compositeCapture' ? 'edited' : 'own';
}
