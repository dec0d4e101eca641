/** The pictures of the film: its shots, one giving way to the next, and what lies over them. */
import type { Cut, CutPicture, CutShot, Size } from '../../model/media/cut.ts';
import { unreachable } from '../../model/run/failure.ts';
import type { Frame } from '../libav.ts';
import { type CutContext, even, type Opening, type OpenPicture, type PictureSource } from './cut-context.ts';
import { frameGraph } from './frame-graph.ts';
import { openLayers } from './layers/layers.ts';
import { mixer } from './mixer.ts';
import { opaqueFrame, pixelsOfCanvas } from './painted-frame.ts';
import { openStill } from './pictures/still.ts';
import { paintTitle } from './pictures/title-canvas.ts';
import { openVideo } from './pictures/video.ts';
import { named } from './render-messages.ts';

interface FilmPictures extends AsyncDisposable {
  /** Frames never go back. The answer is whole until the next call, and must not be changed. @throws {CutFailure} */
  at(frame: number): Promise<Frame>;
}

/** Only what is on the screen is open, so a film may have any number of shots. */
export function filmPictures(kit: CutContext, cut: Cut): FilmPictures {
  const open = new Map<number, PictureSource>();
  const mix = mixer(kit);
  const layers = openLayers(kit, cut);
  const sourceOf = async (index: number, shot: CutShot, first: number): Promise<PictureSource> => {
    const there = open.get(index);
    if (there) return there;
    const source = await openPicture(kit, shot.picture, { box: kit.size, frames: shot.frames, first });
    open.set(index, source);
    return source;
  };

  return {
    async at(n) {
      const showing = showingAt(cut.shots, n);
      for (const [index, source] of open) {
        if (showing.some(it => it.index === index)) continue;
        open.delete(index);
        await source[Symbol.asyncDispose]();
      }
      mix.begin();
      let film: Frame | undefined;
      for (const { index, shot, frame, share, light } of showing) {
        const picture = await named(shot.name, async () => (await sourceOf(index, shot, frame)).at(frame));
        const lit = await mix.faded(picture, light);
        film = film === undefined || share >= 1 ? lit : await mix.mixed(film, lit, share);
      }
      return await layers.over(film ?? (await mix.black()), n);
    },
    async [Symbol.asyncDispose]() {
      for (const source of open.values()) await source[Symbol.asyncDispose]();
      await layers[Symbol.asyncDispose]();
      await mix[Symbol.asyncDispose]();
    },
  };
}

/** @throws {UndecodablePicture} */
const openPicture: OpenPicture = (kit, picture, opening) => {
  switch (picture.is) {
    case 'video':
      return openVideo(kit, picture, opening);
    case 'still':
      return openStill(kit, picture, opening);
    case 'title':
      return openTitle(kit, picture, opening);
    case 'beside':
      return openBeside(kit, picture, opening, openPicture);
    default:
      return unreachable(picture);
  }
};

/** Words on a plain ground: painted once, however long they stand. */
type Title = Extract<CutPicture, { readonly is: 'title' }>;

async function openTitle(kit: CutContext, { text }: Title, { box }: Opening): Promise<PictureSource> {
  const frame = await opaqueFrame(kit, pixelsOfCanvas(paintTitle(text, box)));
  return { at: async () => frame, [Symbol.asyncDispose]: async () => frame.free() };
}

/** Pictures side by side: from left to right, or from top to bottom in a film that is higher than wide. */
type Beside = Extract<CutPicture, { readonly is: 'beside' }>;

async function openBeside(
  kit: CutContext,
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

interface Showing {
  /** Its place among the shots. */
  readonly index: number;
  readonly shot: CutShot;
  /** Its own frame, from 0. */
  readonly frame: number;
  /** How much of it is seen over those before it, 0 to 1: less than 1 only while one dissolves into the next. */
  readonly share: number;
  /** 0 is black, 1 its own light. */
  readonly light: number;
}

/**
 * From the one that lies lowest; empty in a gap, which is black. Of a dissolve of four frames one sees a fifth, two, three and four
 * fifths of the new shot: neither shot is there alone. A fade begins, or ends, with a frame that is black.
 */
export function showingAt(shots: readonly CutShot[], n: number): readonly Showing[] {
  return shots.flatMap((shot, index) => {
    const frame = n - shot.at;
    if (frame < 0 || frame >= shot.frames) return [];
    const share = frame < shot.dissolve ? (frame + 1) / (shot.dissolve + 1) : 1;
    const after = frame / Math.max(1, shot.fadeIn);
    const before = (shot.frames - 1 - frame) / Math.max(1, shot.fadeOut);
    const light = Math.min(1, shot.fadeIn > 0 ? after : 1, shot.fadeOut > 0 ? before : 1);
    return [{ index, shot, frame, share, light }];
  });
}
