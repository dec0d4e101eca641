/** One question: what was asked for, its candidates side by side or in a wipe, the clock under them, and what may be said. */
import { useEffect, useMemo } from 'preact/hooks';
import { foldWords } from '../../../domain/word-difference.ts';
import type { ReviewQuestion } from '../review-state.ts';
import type { Desk } from './desk.ts';
import type { FrameClock } from './frame-clock.ts';
import { Kbd } from './kbd.tsx';
import { Take } from './take.tsx';
import { Transport } from './transport.tsx';
import { Verdict } from './verdict.tsx';
import { Wipe } from './wipe.tsx';

/** Players that run at once. */
const MOST_PLAYERS = 6;
/** Takes beside one another in one row. */
const IN_A_ROW = 4;

interface StageProps {
  readonly desk: Desk;
  readonly clock: FrameClock;
  readonly question: ReviewQuestion;
}

export function Stage({ desk, clock, question }: StageProps) {
  const { key, is, ask, options, decided } = question;
  const shown = options.filter(({ isReady }) => isReady).map(({ media }) => media?.facts);
  const lengths = shown.map(facts => `${facts?.duration} ${facts?.fps}`).join();
  // Another question begins at its beginning; a take that arrives does not.
  useEffect(() => clock.begin(shown), [clock, key]);
  // Facts are the same while these are.
  useEffect(() => clock.measure(shown), [clock, lengths]);
  const prompts = options.map(({ prompt }) => prompt ?? '');
  const { common, own } = useMemo(() => foldWords(prompts), [JSON.stringify(prompts)]);
  const isWipe = desk.view === 'wipe' && desk.wiped !== undefined;
  const hasTime = options.some(({ media }) => media !== null && media.facts.kind !== 'image');
  return (
    <>
      <div class="said">
        <div>
          <p class="mono soft">{key}</p>
          <h2>{is === 'approve' ? ask : common || desk.title(question)}</h2>
          {is === 'approve' && common !== '' ? <p class="soft ask">{common}</p> : null}
        </div>
        <fieldset class="modes" aria-label="View">
          <button type="button" aria-pressed={!isWipe} onClick={() => desk.show('side')}>
            Side by side
          </button>
          <button type="button" aria-pressed={isWipe} disabled={!desk.canWipe} onClick={() => desk.show('wipe')}>
            Wipe <Kbd>w</Kbd>
          </button>
        </fieldset>
      </div>
      <div class={`stage${isWipe ? ' w' : ''}${decided ? ' decided' : ''}`}>
        {isWipe && desk.wiped ? (
          <Wipe desk={desk} clock={clock} pair={desk.wiped} />
        ) : (
          <div
            class="takes"
            style={{
              '--columns': columns(options.length),
              '--rows': Math.ceil(options.length / columns(options.length)),
            }}
          >
            {options.map((option, at) => (
              <Take
                key={`${key} ${option.id} ${option.key}`}
                {...{ desk, clock, question, option, at }}
                words={own[at] ?? ''}
                isPlayed={playedAt(desk, question).has(option.id)}
              />
            ))}
          </div>
        )}
      </div>
      <div class="controls">
        {hasTime ? <Transport clock={clock} desk={desk} /> : null}
        <Verdict desk={desk} question={question} />
      </div>
    </>
  );
}

const columns = (count: number): number =>
  count <= IN_A_ROW ? Math.max(1, count) : Math.ceil(count / Math.ceil(count / IN_A_ROW));

/** Those near the one that is looked at. */
function playedAt({ focus }: Desk, { options }: ReviewQuestion): ReadonlySet<string> {
  const able = options.filter(({ isReady, media }) => isReady && media !== null && media.facts.kind !== 'image');
  const at = Math.max(
    0,
    able.findIndex(({ id }) => id === focus),
  );
  const first = Math.max(0, Math.min(at - MOST_PLAYERS / 2, able.length - MOST_PLAYERS));
  return new Set(able.slice(first, first + MOST_PLAYERS).map(({ id }) => id));
}
