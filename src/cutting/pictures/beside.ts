/** Pictures side by side: from left to right, or from top to bottom in a film that is higher than wide. */
import type { CutPicture, Size } from '../../domain/cut.ts';
import type { Frame } from '../../media/libav.ts';
import { frameGraph } from '../frame-graph.ts';
import { even, type Kit } from '../kit.ts';
import type { Opening, OpenPicture, PictureSource } from './picture-source.ts';

type Beside = Extract<CutPicture, { readonly is: 'beside' }>;

export async function openBeside(
  kit: Kit,
  { pictures }: Beside,
  opening: Opening,
  open: OpenPicture,
): Promise<PictureSource> {
  const { box } = opening;
  await using release = new AsyncDisposableStack();
  const sources: PictureSource[] = [];
  for (const [i, share] of shares(box, pictures.length).entries()) {
    sources.push(release.use(await open(kit, pictures[i]!, { ...opening, box: share })));
  }
  const [only] = sources;
  if (sources.length === 1 && only) {
    const owned = release.move();
    return { at: frame => only.at(frame), [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }
  const all = async (frame: number): Promise<readonly Frame[]> => {
    const frames: Frame[] = [];
    // One after the other: where one fails, none is still at work when they are given back.
    for (const source of sources) frames.push(await source.at(frame));
    return frames;
  };
  const first = await all(opening.first);
  const inputs = first.map((_, i) => `[in${i}]`).join('');
  const stack = box.height > box.width ? 'vstack' : 'hstack';
  const text = `${inputs}${stack}=inputs=${first.length}[out]`;
  const graph = release.use(await frameGraph(kit.av, { text, inputs: first }));
  const owned = release.move();
  return {
    at: async frame => graph.round(...(await all(frame))),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Equal to two pixels, and no pixel is left over. */
function shares({ width, height }: Size, count: number): readonly Size[] {
  const isHigh = height > width;
  const side = isHigh ? height : width;
  const edges = Array.from({ length: count + 1 }, (_, i) => (i === count ? side : even((side * i) / count)));
  return Array.from({ length: count }, (_, i) => {
    const share = edges[i + 1]! - edges[i]!;
    return isHigh ? { width, height: share } : { width: share, height };
  });
}
