/**
 * Frames and sound of a video: made on this machine when something reads them, never paid for. One is named by the content that it is
 * taken from, so that its name is known as soon as that is, before it is made and without the video's bytes.
 */

export interface DerivedMedia {
  /** SHA-256 of the video, lower-case hex. */
  readonly of: string;
  readonly what: DerivedPart;
}

/** Frames are PNG, sound is WAV (48 kHz, 16 bit). `at`: seconds; the frame that is shown then. */
export type DerivedPart =
  | { readonly is: 'first_frame' }
  | { readonly is: 'last_frame' }
  | { readonly is: 'frame_at'; readonly at: number }
  | { readonly is: 'sound' };

const PREFIX = 'derived:';

/** `derived:last_frame/9f…e1`, `derived:frame_at/2.5/9f…e1`: an address like any other, and what a fingerprint counts. */
export const derivedAddress = ({ of, what }: DerivedMedia): string =>
  `${PREFIX}${what.is}/${what.is === 'frame_at' ? `${what.at}/` : ''}${of}`;

/** Undefined for anything else. */
export function derivedFrom(address: string): DerivedMedia | undefined {
  const [, is, at, of] = /^derived:(\w+)\/(?:([\d.]+)\/)?([0-9a-f]{64})$/.exec(address) ?? [];
  if (of === undefined) return undefined;
  if (is === 'frame_at') return at === undefined ? undefined : { of, what: { is, at: Number(at) } };
  if (is === 'first_frame' || is === 'last_frame' || is === 'sound') return { of, what: { is } };
  return undefined;
}
