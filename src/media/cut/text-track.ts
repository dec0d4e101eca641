/**
 * Captions as a track of the file, for a player to show: `mov_text`, 3GPP Timed Text (3GPP TS 26.245, ETSI TS 126 245). Each sample is
 * the length of its text in two bytes and the text.
 */
import type { Cut } from '../../model/media/cut.ts';
import { check, type FormatContext, type Libav } from '../libav.ts';
import { type CaptionPage, captionPages } from './layers/caption-pages.ts';

interface TextTrack {
  /** Writes all captions that begin before this many seconds. */
  writeUntil(seconds: number): Promise<void>;
}

/** Ticks a second. */
const CLOCK = 1000;

/** A track that is shown by default. @param file whose head is not written yet. */
export function textTrack(av: Libav, file: FormatContext, cut: Cut): TextTrack {
  const { c } = av;
  const stream = file.newStream(null);
  stream.codecpar.codecType = c.AVMEDIA_TYPE_SUBTITLE;
  stream.codecpar.codecId = c.AV_CODEC_ID_MOV_TEXT;
  stream.codecpar.extradata = SAMPLE_DESCRIPTION;
  stream.codecpar.width = cut.size.width;
  stream.codecpar.height = Math.round(cut.size.height / 8);
  stream.timeBase = new av.Rational(1, CLOCK);
  stream.disposition = c.AV_DISPOSITION_DEFAULT;
  const samples = samplesOf(cut);
  let written = 0;
  return {
    async writeUntil(seconds) {
      for (let sample = samples[written]; sample && sample.from < seconds; sample = samples[++written]) {
        using packet = new av.Packet();
        packet.alloc();
        const text = Buffer.from(sample.text, 'utf8');
        const length = Buffer.alloc(2);
        length.writeUInt16BE(text.length);
        packet.data = Buffer.concat([length, text]);
        packet.streamIndex = stream.index;
        packet.pts = packet.dts = BigInt(Math.round(sample.from * CLOCK));
        packet.duration = BigInt(Math.round(sample.to * CLOCK)) - packet.pts;
        packet.isKeyframe = true;
        packet.rescaleTs(new av.Rational(1, CLOCK), stream.timeBase);
        check(av, await file.interleavedWriteFrame(packet), 'writing captions to the file');
      }
    },
  };
}

interface Sample {
  /** Seconds. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** One after the other; in silence, the muxer writes an empty one. */
function samplesOf({ captions, rate, frames }: Cut): readonly Sample[] {
  if (captions === undefined) return [];
  const seconds = (frame: number) => (frame * rate.seconds) / rate.frames;
  // A player breaks lines as its screen has room.
  const pages = captionPages(captions, { rate, fits: () => true });
  return pages.flatMap((page, i) => {
    const to = Math.min(page.to, startOf(pages[i + 1]) ?? frames, frames);
    return to > page.from ? [{ from: seconds(page.from), to: seconds(to), text: page.text }] : [];
  });
}

const startOf = (page: CaptionPage | undefined): number | undefined => page?.from;

/** Display flags, centred at the bottom, no ground, no box, one style: the font of number 1, 18 points, white; and that font's name. */
const SAMPLE_DESCRIPTION = Buffer.concat([
  Buffer.from([0, 0, 0, 0, 1, 0xff, 0, 0, 0, 0]),
  Buffer.from([0, 0, 0, 0, 0, 0, 0, 0]),
  Buffer.from([0, 0, 0, 0, 0, 1, 0, 18, 255, 255, 255, 255]),
  Buffer.from([0, 0, 0, 18]),
  Buffer.from('ftab', 'latin1'),
  Buffer.from([0, 1, 0, 1, 5]),
  Buffer.from('Serif', 'latin1'),
]);
