/**
 * Frames and sound of a video: made on this machine when something reads them, never paid for. One is named by the content that it is
 * taken from, so that its name is known as soon as that is, before it is made and without the video's bytes.
 */
import { isMeasured, type MediaFacts } from './media.ts';

export interface DerivedMedia {
  /** SHA-256 of the video, lower-case hex. */
  readonly of: string;
  readonly what: DerivedPart;
}

/**
 * Frames are PNG, sound is WAV (48 kHz, 16 bit). `at`: seconds from the first picture, or, below zero, from the end of the last one; the
 * frame that is shown then.
 */
export type DerivedPart =
  | { readonly is: 'first_frame' }
  | { readonly is: 'last_frame' }
  | { readonly is: 'frame_at'; readonly at: number }
  | { readonly is: 'sound' };

/** Those that are fields of a result; `frame_at` is a function of it. */
export type DerivedField = Exclude<DerivedPart['is'], 'frame_at'>;
export const DERIVED_FIELDS: readonly DerivedField[] = ['first_frame', 'last_frame', 'sound'];

export const isDerivedField = (name: unknown): name is DerivedField =>
  (DERIVED_FIELDS as readonly unknown[]).includes(name);

/** `last_frame`, `frame_at('2.5s')`: as an author writes it. */
export const partName = (what: DerivedPart): string => (what.is === 'frame_at' ? `frame_at('${what.at}s')` : what.is);

const PREFIX = 'derived:';

/** `derived:last_frame/9f…e1`, `derived:frame_at/2.5/9f…e1`: an address like any other, and what a fingerprint counts. */
export const derivedAddress = ({ of, what }: DerivedMedia): string =>
  `${PREFIX}${what.is}/${what.is === 'frame_at' ? `${what.at}/` : ''}${of}`;

const ADDRESSES = /derived:(first_frame|last_frame|sound|frame_at\/(-?\d+(?:\.\d+)?))\/([0-9a-f]{64})(?![0-9a-f])/g;

/** Undefined for anything else. */
export function derivedFrom(address: string): DerivedMedia | undefined {
  const found = derivedIn(address);
  return found.length === 1 && derivedAddress(found[0]!) === address ? found[0] : undefined;
}

/** All that a text names. */
export const derivedIn = (text: string): readonly DerivedMedia[] =>
  text.includes(PREFIX) ? [...text.matchAll(ADDRESSES)].map(derivedOf) : [];

/** The text with something else in the place of each. */
export const replaceDerived = (text: string, change: (media: DerivedMedia, address: string) => string): string =>
  text.includes(PREFIX) ? text.replaceAll(ADDRESSES, (...found) => change(derivedOf(found), found[0])) : text;

function derivedOf([, is, at, of]: readonly unknown[]): DerivedMedia {
  const name = isDerivedField(is) ? is : 'frame_at';
  return {
    of: String(of),
    what: name === 'frame_at' ? { is: name, at: Number(at) } : { is: name },
  };
}

/** A video is so long to the millisecond: its last picture is shown to its end. */
const TOLERANCE = 0.001;

/** Seconds of `2.5s`, `150ms`, `-1s`; undefined for what is no such time. */
export function timeIn(text: string): number | undefined {
  const [, amount, unit] = /^(-?\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  return amount === undefined ? undefined : exact(Number(amount) / (unit === 'ms' ? 1000 : 1));
}

/** To the microsecond, which is as exact as any video is: no address holds `0.30000000000000004`, and no zero has a minus. */
export const exact = (seconds: number): number => Math.round(seconds * 1e6) / 1e6 + 0;

/** Whether a video of these facts has no picture there. False where its length is not known. */
export const isPastEnd = (at: number, { duration }: Pick<MediaFacts, 'duration'>): boolean =>
  isMeasured(duration) && Math.abs(at) > duration + TOLERANCE;

/** What is known of a part before it is made, by what is known of its video. Undefined of what a video without sound has not. */
export function derivedFacts(what: DerivedPart, video: MediaFacts | undefined): MediaFacts | undefined {
  if (what.is === 'sound') {
    if (video?.audio_codec === null) return undefined;
    const { duration } = video ?? {};
    return { kind: 'audio', format: 'wav', audio_codec: 'pcm', ...(duration !== undefined && { duration }) };
  }
  const { width, height } = video ?? {};
  return {
    kind: 'image',
    format: 'png',
    ...(width !== undefined && height !== undefined && { width, height }),
  };
}
