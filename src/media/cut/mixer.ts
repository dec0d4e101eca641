/**
 * One picture giving way to another, and fading: shares of the two are added as they are encoded, not as light. That is what editors do
 * by default and what eyes take for even; in linear light the brighter of the two would be there at once.
 */
import type { Size } from '../../model/media/cut.ts';
import type { Frame } from '../libav.ts';
import type { CutContext } from './cut-context.ts';
import { type FrameGraph, frameGraph } from './frame-graph.ts';
import { opaqueFrame } from './painted-frame.ts';

interface Mixer extends AsyncDisposable {
  /** Another frame of the film: what was mixed for the one before may be made anew. */
  begin(): void;
  /** `share`, 0 to 1: how much of `over` is seen. */
  mixed(under: Frame, over: Frame, share: number): Promise<Frame>;
  faded(frame: Frame, light: number): Promise<Frame>;
  black(): Promise<Frame>;
}

export function mixer(kit: CutContext): Mixer {
  let black: Promise<Frame> | undefined;
  /** One for each mix that a frame of the film takes: two fades, and the mix of what comes of them. */
  const graphs: FrameGraph[] = [];
  let turn = 0;

  const mixed = async (under: Frame, over: Frame, share: number): Promise<Frame> => {
    const place = turn++;
    graphs[place] ??= await frameGraph(kit.av, {
      text: '[in0][in1]blend@mix=all_mode=normal:all_opacity=0.5[out]',
      inputs: [over, under],
    });
    const graph = graphs[place];
    graph.setOption('blend@mix', 'all_opacity', share.toFixed(6));
    return await graph.round(over, under);
  };
  const theBlack = () => {
    black ??= blackFrame(kit, kit.size);
    return black;
  };
  return {
    begin: () => {
      turn = 0;
    },
    mixed,
    black: theBlack,
    async faded(frame, light) {
      if (light >= 1) return frame;
      if (light <= 0) return await theBlack();
      return await mixed(await theBlack(), frame, light);
    },
    async [Symbol.asyncDispose]() {
      for (const graph of graphs) graph?.[Symbol.dispose]();
      (await black)?.free();
    },
  };
}

async function blackFrame(kit: CutContext, { width, height }: Size): Promise<Frame> {
  const bytes = new Uint8Array(width * height * 4);
  return await opaqueFrame(kit, { width, height, bytes });
}
