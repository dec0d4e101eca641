/** All that is to be decided, in order: what is chosen, what is open, what is still being made. */
import { useEffect, useRef } from 'preact/hooks';
import type { ReviewOption } from '../review-state.ts';
import type { Props } from './kbd.tsx';
import { isBeingMade } from './words.ts';

/** Pictures of one question. */
const MAX_PICTURES = 6;

export function Rail({ desk }: Props<'desk'>) {
  const { questions } = desk.state;
  const done = questions.filter(({ decided }) => decided).length;
  return (
    <nav class="rail" aria-label="To be decided">
      <p class="sum note num">
        {done} of {questions.length} decided
      </p>
      <ol>
        {questions.map(one => (
          <li key={one.key}>
            <RailRow desk={desk} question={one} isHere={one.key === desk.here?.key} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

type Is = 'decided' | 'undecided' | 'rendering';

const WORDS: Readonly<Record<Is, string>> = { decided: 'decided', undecided: 'undecided', rendering: 'to come' };

function RailRow({ desk, question, isHere }: Props<'desk' | 'question'> & { readonly isHere: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isHere) button.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [isHere]);
  const { key, options, decided } = question;
  const is: Is = decided ? 'decided' : options.some(one => one.isReady) ? 'undecided' : 'rendering';
  const making = options.filter(isBeingMade);
  const share = options.reduce((sum, one) => sum + shareOf(one), 0) / Math.max(1, options.length);
  const word = decided ? desk.chosenWords(question) : making.length > 0 ? `${Math.round(share * 100)} %` : WORDS[is];
  return (
    <button
      ref={button}
      class="note"
      type="button"
      data-is={is}
      aria-current={isHere ? 'true' : undefined}
      onClick={() => desk.go(key)}
    >
      <RailMark is={is} />
      <span class="t clamp">{desk.title(question)}</span>
      <span class="w cut num">{word}</span>
      <span class="pics" aria-hidden="true">
        {options.slice(0, MAX_PICTURES).map(one => (
          <Picture key={one.id} option={one} isChosen={decided?.chosen.includes(one.key) ?? false} />
        ))}
      </span>
    </button>
  );
}

const shareOf = ({ isReady, fraction }: ReviewOption): number => (isReady ? 1 : (fraction ?? 0));

function Picture({ option, isChosen }: { readonly option: ReviewOption; readonly isChosen: boolean }) {
  const { media, isHere, isReady, rejected, fraction } = option;
  const hasStill = isReady && isHere && media !== null && media.facts.kind !== 'audio';
  return (
    <span data-chosen={isChosen ? '' : undefined} data-out={rejected ? '' : undefined}>
      {hasStill ? <img src={`still/${media.sha256}`} alt="" loading="lazy" /> : null}
      {isReady ? null : <i class="progress" style={{ transform: `scaleX(${fraction ?? 0})` }} />}
    </span>
  );
}

const MARKS: Readonly<Record<Is, string>> = {
  decided: 'M1 6.5l3.5 3.5L11 2.500',
  undecided: 'M6 1.500a4.500 4.500 0 1 0 .01 0z',
  rendering: 'M1 6h10',
};

const RailMark = ({ is }: { readonly is: Is }) => (
  <svg class="mark" viewBox="0 0 12 12" aria-hidden="true">
    <path
      d={MARKS[is]}
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-dasharray={is === 'rendering' ? '3 2' : undefined}
    />
  </svg>
);
