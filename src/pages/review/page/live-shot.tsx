/** One shot of a film that is being written: the picture before, then the first of what is drawn, then all of it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LiveShot } from '../live-state.ts';

const WORDS: { readonly [state in LiveShot['state']]: string } = {
  waiting: 'waits its turn',
  drawing: 'being drawn',
  there: '',
  failed: 'failed',
};

export function Shot({ shot }: { readonly shot: LiveShot }) {
  const { key, state, media, first, fraction, why } = shot;
  const figure = useRef<HTMLElement>(null);
  const isNear = useNear(figure);
  const isOld = media !== null && first === null && state !== 'there';
  const { width = 16, height = 9 } = media?.facts ?? {};
  const isTall = height > width;
  return (
    <figure class="shot" ref={figure} data-key={key} data-state={state} data-old={isOld ? '' : undefined}>
      <div class="frame" data-tall={isTall ? '' : undefined}>
        {isNear ? <Seen shot={shot} /> : null}
        {state === 'drawing' ? <Progress of={key} fraction={fraction ?? 0} /> : null}
      </div>
      <figcaption>
        <b title={key}>{key}</b>
        <span>
          {WORDS[state]}
          {state === 'drawing' && fraction !== null ? ` ${Math.round(fraction * 100)} %` : ''}
          {isOld ? ', shown as it was before' : ''}
        </span>
        {why === null ? null : <p class="why">{why}</p>}
      </figcaption>
    </figure>
  );
}

function Seen({ shot: { key, state, media, first } }: { readonly shot: LiveShot }) {
  if (first !== null) return <img src={`first/${first}`} alt={`${key} as it begins`} data-first="" />;
  if (media === null) return <div class="empty">{state === 'failed' ? 'Not drawn' : 'No picture yet'}</div>;
  return <Newest name={key} media={media} />;
}

const Progress = ({ of, fraction }: { readonly of: string; readonly fraction: number }) => (
  <i
    role="progressbar"
    aria-label={`${of} is being drawn`}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(fraction * 100)}
    style={{ transform: `scaleX(${fraction})` }}
  />
);

interface NewestProps {
  readonly name: string;
  readonly media: NonNullable<LiveShot['media']>;
}

function Newest({ name, media: { sha256, facts } }: NewestProps) {
  const [isPlayed, play] = useState(false);
  switch (facts.kind) {
    case 'image':
      return <img src={`media/${sha256}`} alt={name} />;
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: a draft's sound is of nobody who speaks.
      return <audio src={`media/${sha256}`} aria-label={name} controls preload="none" />;
    default:
      return (
        <video
          key={sha256}
          src={`media/${sha256}`}
          aria-label={name}
          controls={isPlayed}
          onPointerEnter={() => play(true)}
          onFocus={() => play(true)}
          tabIndex={0}
          muted
          playsInline
          preload="metadata"
        />
      );
  }
}

/** Pixels beyond the window in which a browser is given something to decode: a film may have a hundred shots. */
const NEAR = '300px';

function useNear(of: { readonly current: Element | null }): boolean {
  const [isNear, tell] = useState(false);
  useEffect(() => {
    if (of.current === null) return;
    const watching = new IntersectionObserver(seen => tell(seen.at(-1)?.isIntersecting === true), {
      rootMargin: NEAR,
    });
    watching.observe(of.current);
    return () => watching.disconnect();
  }, [of]);
  return isNear;
}
