/** A film that is being written: what is wrong with it, and its shots, each with the newest picture there is of it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LiveShot, LiveState } from '../review-state.ts';
import { words } from './words.ts';

interface LiveProps {
  readonly live: LiveState;
  /** Nothing is to be decided below the shots. */
  readonly isAlone: boolean;
}

export function Live({ live, isAlone }: LiveProps) {
  const { mistakes, advice, shots } = live;
  const section = useRef<HTMLElement>(null);
  const ratio = Math.max(...shots.map(ratioOf).filter(one => one !== null), 0) || WIDE;
  const width = useShotWidth(section, { count: shots.length, ratio, share: isAlone ? 1 : 0.6 });
  return (
    <section
      class="writing"
      ref={section}
      aria-label="The film as it is written"
      data-mistaken={mistakes === null ? undefined : ''}
    >
      {mistakes === null ? null : (
        <div class="mistakes" role="alert">
          <p>{words.mistaken(isAlone)}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled, by keys as well. */}
          <pre tabIndex={0}>{mistakes}</pre>
        </div>
      )}
      {advice === null ? null : <pre class="advice">{advice}</pre>}
      <p class="count note num" role="status">
        {words.shots(live)}
      </p>
      <div class="shots" style={{ '--shot': `${width}px`, '--ratio': ratio }}>
        {shots.map(shot => (
          <Shot key={shot.key} shot={shot} />
        ))}
      </div>
    </section>
  );
}

const WIDE = 16 / 9;

const ratioOf = ({ media }: LiveShot): number | null => {
  const { width, height } = media?.facts ?? {};
  return width && height ? width / height : null;
};

interface Shots {
  readonly count: number;
  /** Of the widest. */
  readonly ratio: number;
  /** Of the window's height, for all of them. */
  readonly share: number;
}

/** Pixels of a shot at which all of them fit into the window; with more shots than that, at which they are still worth looking at. */
function useShotWidth(section: { readonly current: HTMLElement | null }, { count, ratio, share }: Shots): number {
  const [room, measure] = useState({ width: MIN_SHOT, height: MIN_SHOT });
  useEffect(() => {
    if (!section.current) return;
    // Not what is above them at the moment: a mistake moves shots, and changes none.
    const look = () => measure({ width: section.current?.clientWidth ?? 0, height: innerHeight - ABOVE });
    const sized = new ResizeObserver(look);
    sized.observe(section.current);
    sized.observe(document.documentElement);
    addEventListener('resize', look);
    return () => {
      sized.disconnect();
      removeEventListener('resize', look);
    };
  }, [section]);
  const widths = Array.from({ length: count }, (_, at) => {
    const beside = (room.width - GAP * at) / (at + 1);
    const rows = Math.ceil(count / (at + 1));
    return Math.min(beside, ((room.height * share) / rows - CAPTION) * ratio);
  });
  const least = Math.min(room.width, MIN_SHOT * Math.sqrt(Math.min(1, ratio / WIDE)));
  const columns = Math.max(1, Math.floor((room.width + GAP) / (least + GAP)));
  return Math.floor(Math.max((room.width - GAP * (columns - 1)) / columns, ...widths));
}

/** Pixels: of the smallest shot, between two, below one, and above all of them. */
const MIN_SHOT = 304;
const GAP = 16;
const CAPTION = 56;
const ABOVE = 130;

const WORDS: { readonly [state in LiveShot['state']]: string } = {
  waiting: 'waits its turn',
  drawing: 'being drawn',
  there: '',
  failed: 'failed',
};

function Shot({ shot }: { readonly shot: LiveShot }) {
  const { key, state, media, first, fraction, why } = shot;
  const figure = useRef<HTMLElement>(null);
  const isNear = useNear(figure);
  const isOld = media !== null && first === null && state !== 'there';
  return (
    <figure class="shot" ref={figure} data-key={key} data-state={state} data-old={isOld ? '' : undefined}>
      <div class="frame">
        {isNear ? <Seen shot={shot} /> : null}
        {state === 'drawing' ? <Progress of={key} fraction={fraction ?? 0} /> : null}
      </div>
      <figcaption>
        <b class="cut mono" title={key}>
          {key}
        </b>
        <span class="soft num">
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
  if (first !== null) return <img class="whole" src={`first/${first}`} alt={`${key} as it begins`} data-first="" />;
  if (media === null) return <div class="empty">{state === 'failed' ? 'Not drawn' : 'No picture yet'}</div>;
  return <Newest name={key} media={media} />;
}

const Progress = ({ of, fraction }: { readonly of: string; readonly fraction: number }) => (
  <i
    class="progress"
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
      return <img class="whole" src={`media/${sha256}`} alt={name} />;
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: the drawn sound of a draft has no captions.
      return <audio src={`media/${sha256}`} aria-label={name} controls preload="none" />;
    default:
      return (
        <video
          class="whole"
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
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (of.current === null) return;
    const watching = new IntersectionObserver(seen => setNear(seen.at(-1)?.isIntersecting === true), {
      rootMargin: NEAR,
    });
    watching.observe(of.current);
    return () => watching.disconnect();
  }, [of]);
  return isNear;
}
