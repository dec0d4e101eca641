/**
 * What lies over the film: words, pictures, captions. Each is a plate no larger than it has to be, painted when it is first seen; the
 * plates of a moment go over the film in one filtergraph, and where there is none the film's frame passes untouched.
 */

import type { Canvas } from '@napi-rs/canvas';
import type { Cut, CutCaptions, CutOverlay, Size } from '../../../model/media/cut.ts';
import { UndecodablePicture } from '../../decode/timed-frames.ts';
import type { Frame } from '../../libav.ts';
import { type CutContext, even, secondsOf, WITH_ALPHA } from '../cut-context.ts';
import { type FrameGraph, frameGraph } from '../frame-graph.ts';
import { mixer } from '../mixer.ts';
import { frameWithAlpha, pixelsOfCanvas } from '../painted-frame.ts';
import { openVideo } from '../pictures/video.ts';
import { named, overlayName } from '../render-messages.ts';
import { captionPages } from './caption-pages.ts';
import { cornerOf, rowOf } from './layer-place.ts';
import { captionHeight, fitsCaption, paintCaption, paintText } from './text-plate.ts';

interface Layers extends AsyncDisposable {
  /** The answer is whole until the next call. */
  over(film: Frame, frame: number): Promise<Frame>;
}

export function openLayers(kit: CutContext, cut: Cut): Layers {
  const layers = new Map<number, Layer>();
  const captions = cut.captions && !cut.captions.track ? openCaptions(kit, cut.captions) : undefined;
  /** One for each sheet of the frame before. */
  let graphs = new Map<string, FrameGraph>();
  const mixing = mixer(kit);

  const platesAt = async (n: number): Promise<readonly Plate[]> => {
    const plates: Plate[] = [];
    for (const [i, overlay] of cut.overlays.entries()) {
      if (n < overlay.at || n >= overlay.at + overlay.frames) {
        await layers.get(i)?.[Symbol.asyncDispose]();
        layers.delete(i);
        continue;
      }
      const plate = await named(overlayName(secondsOf(overlay.at, kit.rate)), async () => {
        const layer = layers.get(i) ?? (await openOverlay(kit, cut, i, overlay));
        layers.set(i, layer);
        return await layer.plateAt(n);
      });
      if (plate) plates.push({ ...plate, share: shareAt(overlay, n) });
    }
    const caption = await captions?.plateAt(n);
    if (caption) plates.push(caption);
    return plates;
  };

  return {
    async over(film, n) {
      const sheets = sheetsOf(await platesAt(n));
      const seen = new Map<string, FrameGraph>();
      let frame = film;
      mixing.begin();
      for (const plates of sheets) {
        const key = `${seen.size}:${plates.map(plate => plate.name).join('|')}`;
        const graph = graphs.get(key) ?? (await stacked(kit, film, plates));
        graphs.delete(key);
        seen.set(key, graph);
        const over = await graph.round(frame, ...plates.filter(plate => plate.moves).map(plate => plate.frame));
        const [{ share = 1 } = {}] = plates;
        frame = share < 1 ? await mixing.mixed(frame, over, share) : over;
      }
      for (const graph of graphs.values()) graph[Symbol.dispose]();
      graphs = seen;
      return frame;
    },
    async [Symbol.asyncDispose]() {
      for (const graph of graphs.values()) graph[Symbol.dispose]();
      await mixing[Symbol.asyncDispose]();
      for (const layer of layers.values()) await layer[Symbol.asyncDispose]();
      await captions?.[Symbol.asyncDispose]();
    },
  };
}

/** Of D frames the first shows one part of D+1: as in a dissolve, it is never there with nothing of it seen. */
function shareAt({ at, frames, fadeIn = 0, fadeOut = 0 }: CutOverlay, n: number): number {
  const coming = (n - at + 1) / (fadeIn + 1);
  const going = (at + frames - n) / (fadeOut + 1);
  return Math.min(1, coming, going);
}

/** What is wholly there goes over the film in one graph; what comes or goes has one of its own. */
function sheetsOf(plates: readonly Plate[]): readonly (readonly Plate[])[] {
  const sheets: Plate[][] = [];
  let isOpen = false;
  for (const plate of plates) {
    const isWhole = (plate.share ?? 1) === 1;
    if (isWhole && isOpen) sheets.at(-1)?.push(plate);
    else sheets.push([plate]);
    isOpen = isWhole;
  }
  return sheets;
}

function stacked(kit: CutContext, film: Frame, plates: readonly Plate[]): Promise<FrameGraph> {
  const still = plates.filter(plate => !plate.moves);
  const moving = plates.filter(plate => plate.moves);
  let under = 'in0';
  const steps = plates.map((plate, i) => {
    const over = plate.moves ? `in${1 + moving.indexOf(plate)}` : `plate${still.indexOf(plate)}`;
    const onto = i === plates.length - 1 ? 'out' : `under${i}`;
    const options = `x=${plate.x}:y=${plate.y}:eof_action=repeat:format=${WITH_ALPHA[kit.format].overlay}`;
    const step = `[${under}][${over}]overlay=${options}[${onto}]`;
    under = onto;
    return step;
  });
  const inputs = [film, ...moving.map(plate => plate.frame)];
  return frameGraph(kit.av, { text: steps.join(';'), inputs, plates: still.map(plate => plate.frame) });
}

async function openOverlay(kit: CutContext, cut: Cut, index: number, overlay: CutOverlay): Promise<Layer> {
  const beyond = beyondOf(cut, index, text => paintText(text.text, text.place, kit.size).height);
  if (overlay.is === 'picture') return await openOverlayPicture(kit, overlay, { name: `${index}`, beyond });
  const canvas = paintText(overlay.text, overlay.place, kit.size);
  const corner = cornerOf(overlay.place, kit.size, canvas, beyond);
  const frame = await plateOf(kit, canvas);
  return {
    plateAt: async () => ({ name: `${index}`, frame, moves: false, ...corner }),
    [Symbol.asyncDispose]: async () => frame.free(),
  };
}

/** Captions drawn into the film. */
function openCaptions(kit: CutContext, captions: CutCaptions): Layer {
  const pages = captionPages(captions, { rate: kit.rate, fits: fitsCaption(kit.size) });
  let shown: { readonly name: string; readonly frame: Frame; readonly x: number; readonly y: number } | undefined;
  return {
    async plateAt(n) {
      // The latest: where two cues overlap, the new one is spoken now.
      const index = pages.findLastIndex(({ from, to }) => n >= from && n < to);
      const page = pages[index];
      if (page === undefined) return undefined;
      const word = page.words.findIndex(({ from, to }) => n >= from && n < to);
      const name = `caption ${index} ${word}`;
      if (shown?.name !== name) {
        const canvas = paintCaption(page, kit.size, word < 0 ? undefined : word);
        const frame = await plateOf(kit, canvas);
        shown?.frame.free();
        shown = { name, frame, ...cornerOf(captions.place, kit.size, canvas) };
      }
      return { ...shown, moves: false };
    },
    async [Symbol.asyncDispose]() {
      shown?.frame.free();
    },
  };
}

/**
 * Two things at one place (pure): words over a film make room for captions and for the words before them, and
 * keep their place for as long as they are seen, though the captions come and go.
 */
type TextOverlay = Extract<CutOverlay, { readonly is: 'text' }>;

/** Of the shorter side, between two things that stand one above the other. */
const GAP = 0.02;

/** Pixels towards the middle of the frame that others have taken. */
function beyondOf(cut: Cut, index: number, heightOf: (overlay: TextOverlay) => number): number {
  const overlay = cut.overlays[index]!;
  if (overlay.is !== 'text') return 0;
  const gap = Math.min(cut.size.width, cut.size.height) * GAP;
  const before = cut.overlays
    .slice(0, index)
    .filter(other => other.is === 'text')
    .filter(other => other.place === overlay.place && meet(other, overlay))
    .map(other => heightOf(other) + gap);
  const captions = isUnderCaptions(cut, overlay) ? captionHeight(cut.size) + gap : 0;
  return before.reduce((sum, height) => sum + height, captions);
}

/** What goes while another one comes gives its place to it. */
const meet = (one: CutOverlay, other: CutOverlay): boolean => begin(one) < end(other) && begin(other) < end(one);
const begin = ({ at, fadeIn = 0 }: CutOverlay): number => at + fadeIn;
const end = ({ at, frames, fadeOut = 0 }: CutOverlay): number => at + frames - fadeOut;

function isUnderCaptions({ captions, rate }: Cut, overlay: CutOverlay): boolean {
  if (captions === undefined || captions.track || rowOf(captions.place) !== rowOf(overlay.place)) return false;
  const [from, to] = [secondsOf(overlay.at, rate), secondsOf(overlay.at + overlay.frames, rate)];
  return captions.cues.some(cue => cue.start < to && cue.end > from);
}

/** A logo, a still or a film laid over the film, as wide as it is asked to be; what is transparent in it stays so. */
type PictureOverlay = Extract<CutOverlay, { readonly is: 'picture' }>;

async function openOverlayPicture(
  kit: CutContext,
  overlay: PictureOverlay,
  { name, beyond }: { readonly name: string; readonly beyond: number },
): Promise<Layer> {
  const { source, at, frames, place } = overlay;
  if (source.facts.kind === 'image') return await stillLayer(kit, overlay, { name, beyond });
  const box = boxOf(kit.size, overlay, source.facts);
  const film = { source, in: 0, speed: 1, fit: 'crop', keepsAlpha: true } as const;
  const video = await openVideo(kit, film, { box, frames, first: 0 });
  const corner = cornerOf(place, kit.size, box, beyond);
  return {
    plateAt: async n => ({ name, frame: await video.at(n - at), moves: true, ...corner }),
    [Symbol.asyncDispose]: () => video[Symbol.asyncDispose](),
  };
}

async function stillLayer(
  kit: CutContext,
  overlay: PictureOverlay,
  { name, beyond }: { readonly name: string; readonly beyond: number },
): Promise<Layer> {
  const { upright, workPicture } = await import('../../encode/open-still.ts');
  const path = kit.pathOf(overlay.source.sha256);
  const read = async () => {
    const picture = await workPicture(path);
    const { width, height, autoOrient } = await upright(picture).metadata();
    const box = boxOf(kit.size, overlay, autoOrient ?? { width, height });
    const { data } = await upright(picture)
      .resize({ ...box, fit: 'fill' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { box, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
  };
  const { box, bytes } = await read().catch(error => {
    throw new UndecodablePicture('it is no picture that can be decoded', { cause: error });
  });
  const frame = await frameWithAlpha(kit, { ...box, bytes });
  const corner = cornerOf(overlay.place, kit.size, box, beyond);
  return {
    plateAt: async () => ({ name, frame, moves: false, ...corner }),
    [Symbol.asyncDispose]: async () => frame.free(),
  };
}

/** As wide as asked, in its own shape, and never higher than the frame. */
function boxOf(frame: Size, { size }: PictureOverlay, { width = 16, height = 9 }: Partial<Size>): Size {
  const scale = Math.min((frame.width * size) / width, frame.height / height);
  return { width: Math.max(2, even(width * scale)), height: Math.max(2, even(height * scale)) };
}

/** What is seen in one frame: a plate that stays, or a moving picture's own frame. */
interface Plate {
  /** The same plate at the same place has the same name. */
  readonly name: string;
  readonly frame: Frame;
  readonly moves: boolean;
  /** 0 to 1: how much of it is seen; absent: all. */
  readonly share?: number;
  readonly x: number;
  readonly y: number;
}

/** Something that lies over the film for a while. */
interface Layer extends AsyncDisposable {
  plateAt(frame: number): Promise<Plate | undefined>;
}

const plateOf = (kit: CutContext, canvas: Canvas): Promise<Frame> => frameWithAlpha(kit, pixelsOfCanvas(canvas));
