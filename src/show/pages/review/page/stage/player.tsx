/** A video or a sound of one take, on the common clock. What this browser cannot show is reported, and shown by a copy where one can be made. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { codecName, playable } from '../../../parts/media.ts';
import type { Props } from '../kbd.tsx';

type Trouble = 'copying' | 'unplayable' | null;

export function Player({ clock, media, hasSound }: Props<'clock' | 'media' | 'hasSound'>) {
  const { sha256, facts } = media;
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const shown = playable(media, { file: `media/${sha256}`, poster: `still/${sha256}`, proxy: `copy/${sha256}` });
  const src = shown.is === 'plays' ? shown.src : `media/${sha256}`;
  const isCopy = src === `copy/${sha256}`;
  const [trouble, setTrouble] = useState<Trouble>(isCopy ? 'copying' : null);
  // Content is named by its digest.
  useEffect(() => {
    const element = player.current;
    if (!element) return;
    const off = clock.add(element, facts);
    return () => {
      off();
      element.pause();
      // What it had loaded is given back now, not when the page is next tidied.
      element.removeAttribute('src');
      element.load();
    };
  }, [clock, src]);
  useEffect(() => {
    // Set as a property: an attribute that is set after creation does not silence it.
    if (player.current) player.current.muted = !hasSound;
  }, [hasSound]);
  const attributes = {
    ref: player,
    src,
    preload: 'auto' as const,
    muted: true,
    tabIndex: -1,
    'aria-hidden': true as const,
    onLoadedData: () => setTrouble(null),
    onError: () => setTrouble('unplayable'),
  };
  return (
    <>
      {facts.kind === 'audio' ? (
        <audio {...attributes} />
      ) : (
        <video class="whole" {...attributes} poster={`still/${sha256}`} playsInline />
      )}
      {trouble === null ? null : (
        <span class="trouble">{trouble === 'copying' ? copying(codecName(media)) : unplayable(codecName(media))}</span>
      )}
    </>
  );
}

const copying = (codec: string): string => `${codec}: a copy that this browser plays is being made`;
const unplayable = (codec: string): string => `This browser cannot play it (${codec})`;
