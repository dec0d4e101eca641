/** A film that is being written: what is wrong with it, and its shots, each with the newest picture there is of it. */
import type { LiveState } from '../live-state.ts';
import { Shot } from './live-shot.tsx';
import { words } from './words.ts';

export function Live({ live }: { readonly live: LiveState }) {
  const { mistakes, advice, shots } = live;
  return (
    <section class="writing" aria-label="The film as it is written" data-mistaken={mistakes === null ? undefined : ''}>
      {mistakes === null ? null : (
        <div class="mistakes" role="alert">
          <p>The file has a mistake. What was made stays, and the next save is tried.</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled, by keys as well. */}
          <pre tabIndex={0}>{mistakes}</pre>
        </div>
      )}
      {advice === null ? null : <pre class="advice">{advice}</pre>}
      <p class="count" role="status">
        {words.shots(shots)}
      </p>
      <div class="shots">
        {shots.map(shot => (
          <Shot key={shot.key} shot={shot} />
        ))}
      </div>
    </section>
  );
}
