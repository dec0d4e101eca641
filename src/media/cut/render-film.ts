/**
 * One film, from its cut to its file, in this process. Pictures are made while the one before is being encoded, and the sound keeps half a
 * second ahead of them, so that neither has to be held.
 */
import type { Cut } from '../../model/media/cut.ts';
import { beginFile, encoderTrack, newFile, type Track } from '../decode/tracks.ts';
import {
  check,
  type FormatContext,
  type Frame,
  filterGraph,
  type Libav,
  libav,
  newFrame,
  soundFrame,
} from '../libav.ts';
import { filmFormat, renderedSize } from './codecs.ts';
import { type CutContext, secondsOf } from './cut-context.ts';
import { filmPictures } from './film-pictures.ts';
import { type CaptionPage, captionPages } from './layers/caption-pages.ts';
import { openFilmSound } from './sound/film-sound.ts';

export interface FilmJob {
  readonly cut: Cut;
  /** Where each source lies, by its sha256. */
  readonly paths: Readonly<Record<string, string>>;
  /** Written right here; what is left there when it fails is the caller's to take away. */
  readonly out: string;
}

/** Seconds. */
const AHEAD = 0.5;

/** The part of the work that is listening, before a film is made. */
const LISTENING = 0.04;

/** @throws {CutFailure} for what the author can mend; {@link NoEngine}; what libav and the disk say. */
export async function renderFilm(
  { cut: asked, paths, out }: FilmJob,
  progress: (frames: number) => void,
): Promise<void> {
  const cut = { ...asked, size: renderedSize(asked) };
  const kit = await kitOf(cut, paths);
  await using film = await openFilmFile(kit, cut, out);
  await using pictures = filmPictures(kit, cut);
  const total = secondsOf(cut.frames, cut.rate);
  const listening = cut.sounds.length === 0 ? 0 : LISTENING * cut.frames;
  await using sound = await openFilmSound(kit, cut, seconds => progress((listening * seconds) / total));
  let written = Promise.resolve();
  // Nothing is given back while libav works with it, also when something else fails meanwhile.
  await using _ = { [Symbol.asyncDispose]: () => written.catch(() => {}) };
  for (let frame = 0; frame < cut.frames; frame++) {
    const picture = await pictures.at(frame);
    await written;
    await sound.until(secondsOf(frame, cut.rate) + AHEAD, film.sound);
    written = film.picture(picture).then(() => progress(listening + (1 - listening / cut.frames) * (frame + 1)));
    // The next `await` reports a failure, not the process.
    written.catch(() => {});
  }
  await written;
  await sound.until(total, film.sound);
  await film.finish();
}

export async function kitOf(cut: Cut, paths: FilmJob['paths']): Promise<CutContext> {
  return {
    av: await libav(),
    size: cut.size,
    rate: cut.rate,
    format: filmFormat(cut).video.pixelFormat,
    pathOf: sha256 => {
      const path = paths[sha256];
      if (path === undefined) throw new Error(`nobody said where ${sha256} lies`);
      return path;
    },
  };
}

interface FilmFile extends AsyncDisposable {
  /** The frame is held on to by the time this returns its promise; what it was made of may change then. */
  picture(frame: Frame): Promise<void>;
  /** 48 kHz stereo, left and right by turns, −1 to 1. */
  sound(samples: Float32Array): Promise<void>;
  /** Writes what is still on its way, and the head of the file. */
  finish(): Promise<void>;
}

/** @param path is written right here, and is the caller's to take away where that fails. */
export async function openFilmFile(kit: CutContext, cut: Cut, path: string): Promise<FilmFile> {
  const { av } = kit;
  const { container, video, audio, samples } = filmFormat(cut);
  await using release = new AsyncDisposableStack();
  const file = newFile(av, release, container, path);
  // The clocks of both tracks are written exactly, also by MP4's own, which counts milliseconds otherwise.
  const pictures = ends(await filterGraph(av, release, pictureGraph(kit), 1), '');
  // Also for a silent film: players, and those who take films in, want a track to be there.
  const sounds = ends(await filterGraph(av, release, soundGraph(samples, audio.codec === 'aac'), 1), 'a');
  const seen = await encoderTrack(av, release, file, {
    kind: 'video',
    sink: pictures.sink,
    settings: video,
    onFrame: () => {},
  });
  const soundTrack = await encoderTrack(av, release, file, { kind: 'audio', sink: sounds.sink, settings: audio });
  const text = cut.captions?.track ? textTrack(av, file, cut) : undefined;
  await beginFile(av, release, file, '+faststart+write_colr');

  const own = newFrame(av, release);
  let frames = 0n;
  let soundSamples = 0n;
  const owned = release.move();
  return {
    async picture(frame) {
      own.unref();
      check(av, own.ref(frame), 'holding a picture');
      own.pts = frames++;
      own.sampleAspectRatio = new av.Rational(1, 1);
      check(av, await pictures.source.buffersrcAddFrame(own), 'handing over a picture');
      await emptied(seen);
      await text?.writeUntil(seen.time);
    },
    async sound(interleaved) {
      using frame = soundFrame(av, interleaved, soundSamples, 'interleaved');
      soundSamples += BigInt(interleaved.length / 2);
      check(av, await sounds.source.buffersrcAddFrame(frame), 'handing over sound');
      await emptied(soundTrack);
    },
    async finish() {
      for (const [way, track] of [[pictures, seen] as const, [sounds, soundTrack] as const]) {
        check(av, await way.source.buffersrcAddFrame(null), 'ending a track');
        await emptied(track);
      }
      await text?.writeUntil(Number.POSITIVE_INFINITY);
      check(av, await file.writeTrailer(), 'finishing the file');
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const ends = ({ end }: Awaited<ReturnType<typeof filterGraph>>, kind: '' | 'a') => ({
  source: end(`${kind}buffer@in`),
  sink: end(`${kind}buffersink@out`),
});

const pictureGraph = ({ av, size, rate, format }: CutContext): string => {
  const { c } = av;
  const shape = `video_size=${size.width}x${size.height}:pix_fmt=${format}:pixel_aspect=1/1`;
  const colours = `colorspace=${c.AVCOL_SPC_BT709}:range=${c.AVCOL_RANGE_MPEG}`;
  const clock = `time_base=${rate.seconds}/${rate.frames}:frame_rate=${rate.frames}/${rate.seconds}`;
  return `buffer@in=${shape}:${colours}:${clock},buffersink@out`;
};

/** AAC is given frames of its own size, PCM whatever comes. */
const soundGraph = (samples: string, isInFrames: boolean): string => {
  const shape = `aformat=sample_fmts=${samples}:sample_rates=48000:channel_layouts=stereo`;
  const pieces = isInFrames ? ',asetnsamples=n=1024:p=0' : '';
  return `abuffer@in=sample_rate=48000:sample_fmt=flt:channel_layout=stereo:time_base=1/48000,${shape}${pieces},abuffersink@out`;
};

async function emptied(track: Track): Promise<void> {
  while (!track.ended && (await track.pull()) === 'moved');
}

// Captions as a track, for a player to show: `mov_text`, 3GPP Timed Text (3GPP TS 26.245, ETSI TS 126 245). Each sample is the length of its text
// in two bytes and the text.

interface TextTrack {
  /** Writes all captions that begin before this many seconds. */
  writeUntil(seconds: number): Promise<void>;
}

/** Ticks a second. */
const CLOCK = 1000;

/** A track that is shown by default. @param file whose head is not written yet. */
function textTrack(av: Libav, file: FormatContext, cut: Cut): TextTrack {
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
