/**
 * What lies over the film: words, pictures, captions. Each is a plate no larger than it has to be, painted when it is first seen; the
 * plates of a moment go over the film in one filtergraph, and where there is none the film's frame passes untouched.
 */
import type { Cut, CutOverlay } from '../../domain/cut.ts';
import type { Frame } from '../../media/libav.ts';
import { named } from '../broken-source.ts';
import { overlayName } from '../cut-messages.ts';
import { type FrameGraph, frameGraph } from '../frame-graph.ts';
import { type Kit, secondsOf, WITH_ALPHA } from '../kit.ts';
import { mixer } from '../mixer.ts';
import { openCaptions } from './captions.ts';
import { type Layer, type Plate, plateOf } from './layer.ts';
import { openOverlayPicture } from './overlay-picture.ts';
import { cornerOf } from './places.ts';
import { beyondOf } from './stacking.ts';
import { paintText } from './text-plate.ts';

interface Layers extends AsyncDisposable {
  /** The answer is whole until the next call. */
  over(film: Frame, frame: number): Promise<Frame>;
}

export function openLayers(kit: Kit, cut: Cut): Layers {
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

function stacked(kit: Kit, film: Frame, plates: readonly Plate[]): Promise<FrameGraph> {
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

async function openOverlay(kit: Kit, cut: Cut, index: number, overlay: CutOverlay): Promise<Layer> {
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
