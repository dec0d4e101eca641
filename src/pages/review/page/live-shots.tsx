/** A film that is being written: what is wrong with it, and its shots, each with the newest picture there is of it. */
import { useState } from 'preact/hooks';
import type { LiveShot, LiveState } from '../live-state.ts';

export function Live({ live: { mistakes, advice, shots } }: { readonly live: LiveState }) {
  const drawing = shots.filter(({ state }) => state === 'drawing' || state === 'waiting').length;
  return (
    <section class="writing" aria-label="The film as it is written" data-mistaken={mistakes === null ? undefined : ''}>
      {mistakes === null ? null : (
        <div class="mistakes" role="alert">
          <p>The file has a mistake. What was made last stays.</p>
          <pre>{mistakes}</pre>
        </div>
      )}
      {advice === null ? null : <pre class="advice">{advice}</pre>}
      <p class="soft" role="status">
        {shots.length === 0
          ? 'Nothing with a picture yet.'
          : drawing === 0
            ? `${shots.length} drawn, as the file stands.`
            : `${drawing} of ${shots.length} being drawn.`}
      </p>
      <div class="shots">
        {shots.map(shot => (
          <Shot key={shot.key} shot={shot} />
        ))}
      </div>
    </section>
  );
}

const WORDS: { readonly [state in LiveShot['state']]: string } = {
  waiting: 'waits its turn',
  drawing: 'being drawn',
  there: 'as the file stands',
  failed: 'failed',
};

function Shot({ shot: { key, state, media, first, fraction, why } }: { readonly shot: LiveShot }) {
  const isOld = media !== null && first === null && (state === 'drawing' || state === 'waiting');
  const percent = fraction === null ? '' : ` ${Math.round(fraction * 100)} %`;
  return (
    <figure class="shot" data-key={key} data-state={state}>
      {first === null ? (
        media === null ? (
          <div class="empty" />
        ) : (
          <Newest {...{ media }} />
        )
      ) : (
        <img src={`first/${first}`} alt={`The first of ${key}`} data-first="" />
      )}
      <figcaption>
        <b>{key}</b>{' '}
        <span class="soft">
          {state === 'drawing' && first !== null
            ? `first picture, being drawn${percent}`
            : `${WORDS[state]}${state === 'drawing' ? percent : ''}`}
          {isOld ? ', shown as it was before' : ''}
        </span>
        {why === null ? null : <p class="why">{why}</p>}
      </figcaption>
    </figure>
  );
}

function Newest({ media }: { readonly media: NonNullable<LiveShot['media']> }) {
  const { sha256, facts } = media;
  const [isPlayed, play] = useState(false);
  switch (facts.kind) {
    case 'image':
      return <img src={`media/${sha256}`} alt="" />;
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: a draft's sound is of nobody who speaks.
      return <audio src={`media/${sha256}`} controls preload="none" />;
    default:
      return (
        <video
          key={sha256}
          src={`media/${sha256}`}
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
