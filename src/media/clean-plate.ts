/**
 * A film that carries its clean plate: the same pictures without what was burned into them, as a second video track.
 *
 *     video   slated       what players show, probers measure, and everybody else reads
 *     audio
 *     video   clean plate  not enabled, known by its name; what a cut and a frame of the film are taken from
 *
 * One file, one digest: the plate goes wherever the film goes. Nobody else's second track has that name.
 */
import { writeComment } from './comment.ts';
import { check, type FormatContext, type Libav, libav, type Packet, type Stream } from './libav.ts';
import { openMedia, trackKindOf } from './open-input.ts';

/** What the track is called, where MP4 names who handles it. */
export const PLATE_NAME = 'Shotlist clean plate';

/**
 * The plate among the tracks of a film; undefined where there is none. One that is not picture for picture what the film shows is
 * none: somebody else changed the film, and left the plate as it was.
 */
export function plateTrack(av: Libav, file: FormatContext): Stream | undefined {
  const [shown, ...more] = file.streams.filter(stream => trackKindOf(av, stream) === 'video');
  return more.find(track => track.metadata?.get('handler_name') === PLATE_NAME && shown && isAlike(shown, track));
}

const isAlike = (shown: Stream, plate: Stream): boolean =>
  plate.codecpar.width === shown.codecpar.width &&
  plate.codecpar.height === shown.codecpar.height &&
  plate.nbFrames === shown.nbFrames &&
  Math.abs(secondsOf(plate, plate.startTime) - secondsOf(shown, shown.startTime)) < CLOCKS;

/** Seconds by which two clocks may round differently. */
const CLOCKS = 0.002;

/** The track that further work is made from: the plate where the film carries one, else its first pictures. */
export const workTrack = (av: Libav, file: FormatContext): Stream | undefined =>
  plateTrack(av, file) ?? file.streams.find(stream => trackKindOf(av, stream) === 'video');

/** Writes the film with the first pictures of `plate` as its plate, packet for packet. The comment is the plate's. */
export async function joinPlate(film: string, plate: string, out: string): Promise<void> {
  const av = await libav();
  await using release = new AsyncDisposableStack();
  const shown = release.use(await openMedia(av, film));
  const clean = release.use(await openMedia(av, plate));
  const first = clean.streams.find(stream => trackKindOf(av, stream) === 'video');
  if (first === undefined) throw new Error('a clean plate has no pictures');
  await copyTracks(av, out, [
    { file: shown, tracks: shown.streams },
    { file: clean, tracks: [first], name: PLATE_NAME },
  ]);
}

/** Writes the plate of a film as a film of its own, silent. False where it carries none: then nothing is written. */
export async function extractPlate(film: string, out: string): Promise<boolean> {
  const av = await libav();
  await using file = await openMedia(av, film);
  const plate = plateTrack(av, file);
  if (plate === undefined) return false;
  await copyTracks(av, out, [{ file, tracks: [plate] }]);
  return true;
}

interface Source {
  readonly file: FormatContext;
  readonly tracks: readonly Stream[];
  /** What its tracks are called from now on. */
  readonly name?: string;
}

async function copyTracks(av: Libav, out: string, sources: readonly Source[]): Promise<void> {
  await using release = new AsyncDisposableStack();
  const file = release.adopt(new av.FormatContext(), it => it.freeContext());
  check(av, file.allocOutputContext2(null, 'mp4', out), 'preparing the file');
  file.setFlags(av.c.AVFMT_FLAG_BITEXACT);
  const comment = sources.at(-1)?.file.metadata?.get('comment');
  if (comment) writeComment(av, file, comment);
  const ways = sources.map(source => way(av, release, file, source));
  check(av, await file.openOutput(), 'opening the file');
  release.defer(() => file.closeOutput());
  using options = av.Dictionary.fromObject({ movflags: '+faststart' });
  check(av, await file.writeHeader(options), 'writing the head of the file');
  for (;;) {
    const [behind] = ways.filter(way => !way.ended).sort((a, b) => a.seconds - b.seconds);
    if (behind === undefined) break;
    await behind.move();
  }
  check(av, await file.writeTrailer(), 'finishing the file');
}

/** The tracks of one source on their way into the file. */
function way(av: Libav, release: AsyncDisposableStack, to: FormatContext, { file, tracks, name }: Source) {
  const ends = new Map<number, { readonly from: Stream; readonly into: Stream }>();
  const isTaken = (stream: Stream): boolean => tracks.some(({ index }) => index === stream.index);
  for (const stream of file.streams) if (!isTaken(stream)) stream.discard = av.c.AVDISCARD_ALL;
  for (const from of tracks) {
    const into = to.newStream(null);
    // With its tag: `hvc1` is the one that Apple's players take.
    check(av, from.codecpar.copy(into.codecpar), 'describing a track');
    into.timeBase = from.timeBase;
    into.avgFrameRate = from.avgFrameRate;
    if (name !== undefined) into.metadata = av.Dictionary.fromObject({ handler_name: name });
    ends.set(from.index, { from, into });
  }
  const packet: Packet = release.adopt(new av.Packet(), it => it.free());
  packet.alloc();
  let seconds = 0;
  let ended = false;
  return {
    get seconds() {
      return seconds;
    },
    get ended() {
      return ended;
    },
    async move(): Promise<void> {
      const code = await file.readFrame(packet);
      if (code === av.c.AVERROR_EOF) {
        ended = true;
        return;
      }
      check(av, code, 'reading packets');
      const end = ends.get(packet.streamIndex);
      if (end !== undefined) {
        seconds = secondsOf(end.from, packet.dts);
        packet.streamIndex = end.into.index;
        packet.rescaleTs(end.from.timeBase, end.into.timeBase);
        check(av, await to.interleavedWriteFrame(packet), 'writing to the file');
      }
      packet.unref();
    },
  };
}

const secondsOf = ({ timeBase }: Stream, time: bigint): number => (Number(time) * timeBase.num) / timeBase.den;
