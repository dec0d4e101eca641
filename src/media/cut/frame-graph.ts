/**
 * A filtergraph that is handed frames and answers with one, round after round: what one does to a picture, without a file or a clock.
 * Its inputs are `[in0]`, `[in1]`, … and pictures that stay, `[plate0]`, …; its text ends in `[out]`.
 */
import { check, type FilterContext, type Frame, filterGraph, type Libav, newFrame } from '../libav.ts';

export interface FrameGraph extends Disposable {
  /** One frame for each input; the answer is the graph's, and whole until the next round. */
  round(...frames: readonly Frame[]): Promise<Frame>;
  /** Changes an option of a filter that has a name of its own, from the next round on. */
  setOption(filter: string, option: string, value: string): void;
}

interface FrameGraphShape {
  readonly text: string;
  /** One for each input: what its frames will be like. */
  readonly inputs: readonly Frame[];
  readonly plates?: readonly Frame[];
  /** Libav threads that work on one picture; no picture depends on it. */
  readonly threads?: number;
}

export async function frameGraph(av: Libav, shape: FrameGraphShape): Promise<FrameGraph> {
  const { text, inputs, plates = [], threads = 1 } = shape;
  using release = new DisposableStack();
  const sources = [
    ...inputs.map((frame, i) => sourceText(`in${i}`, frame)),
    ...plates.map((frame, i) => sourceText(`plate${i}`, frame)),
  ];
  const whole = [...sources, text, '[out]buffersink@out'].join(';');
  const { graph, end } = await filterGraph(av, release, whole, threads);
  const doors = inputs.map((_, i) => end(`buffer@in${i}`));
  const sink = end('buffersink@out');
  const own = newFrame(av, release);
  const answer = newFrame(av, release);

  const give = async (door: FilterContext, frame: Frame, round: number) => {
    own.unref();
    check(av, own.ref(frame), 'holding a picture');
    own.pts = BigInt(round);
    own.sampleAspectRatio = new av.Rational(1, 1);
    check(av, await door.buffersrcAddFrame(own, av.c.AV_BUFFERSRC_FLAG_KEEP_REF), 'handing a picture to a filtergraph');
    own.unref();
  };
  for (const [i, plate] of plates.entries()) {
    const door = end(`buffer@plate${i}`);
    await give(door, plate, 0);
    check(av, await door.buffersrcAddFrame(null), 'ending the plates of a filtergraph');
  }
  let rounds = 0;
  const owned = release.move();
  return {
    async round(...frames) {
      for (const [i, door] of doors.entries()) await give(door, frames[i]!, rounds);
      rounds++;
      answer.unref();
      check(av, await sink.buffersinkGetFrame(answer), 'filtering a picture');
      return answer;
    },
    setOption(filter, option, value) {
      const code = graph.sendCommand(filter, option, value);
      if (typeof code === 'number') check(av, code, `setting ${option} of ${filter}`);
    },
    [Symbol.dispose]: () => owned.dispose(),
  };
}

const sourceText = (name: string, { width, height, format, colorSpace, colorRange }: Frame): string =>
  `buffer@${name}=video_size=${width}x${height}:pix_fmt=${format}:pixel_aspect=1/1:time_base=1/24` +
  `:colorspace=${colorSpace}:range=${colorRange}[${name}]`;
