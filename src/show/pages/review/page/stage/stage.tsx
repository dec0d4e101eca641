/** One question: what was asked for, its candidates side by side or in a wipe, the clock under them, and the answers. */
import { useEffect, useMemo, useReducer } from 'preact/hooks';
import { foldWords } from '../../../../../model/text/word-difference.ts';
import { MAX_PLAYERS } from '../../../parts/in-step.ts';
import type { ReviewQuestion } from '../../review-state.ts';
import type { Desk } from '../desk.ts';
import { drawnAlong, Kbd, type Props } from '../kbd.tsx';
import { byWhom, optionName } from '../words.ts';
import { Take } from './take.tsx';
import { Wipe } from './wipe.tsx';

/** Takes beside one another in one row. */
const IN_A_ROW = 4;

export function Stage({ desk, clock, question }: Props<'desk' | 'clock' | 'question'>) {
  const { key, options, decided } = question;
  const shown = options.filter(({ isReady }) => isReady).map(({ media }) => media?.facts);
  const lengths = shown.map(facts => `${facts?.duration} ${facts?.fps}`).join();
  // Another question begins at its beginning; a take that arrives does not.
  useEffect(() => {
    clock.measure(shown);
    clock.seek(0);
  }, [clock, key]);
  // Facts are the same while these are.
  useEffect(() => clock.measure(shown), [clock, lengths]);
  const prompts = options.map(({ prompt }) => prompt ?? '');
  const { common, own } = useMemo(() => foldWords(prompts), [JSON.stringify(prompts)]);
  const isWipe = desk.view === 'wipe' && desk.wiped !== undefined;
  const hasTime = options.some(({ media }) => media !== null && media.facts.kind !== 'image');
  return (
    <>
      <Asked {...{ desk, question, common, isWipe }} />
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

/** What is asked, the words that all candidates share, and the two views of them. */
function Asked({
  desk,
  question,
  common,
  isWipe,
}: Props<'desk' | 'question'> & { readonly common: string; readonly isWipe: boolean }) {
  const { key, is, ask } = question;
  return (
    <div class="said">
      <div>
        <p class="mono soft">{key}</p>
        <h2>{is === 'approve' ? ask : common || desk.title(question)}</h2>
        {is === 'approve' && common !== '' ? <p class="soft ask">{common}</p> : null}
      </div>
      <fieldset class="modes note" aria-label="View">
        <button class="mid" type="button" aria-pressed={!isWipe} onClick={() => desk.show('side')}>
          Side by side
        </button>
        <button
          class="mid"
          type="button"
          aria-pressed={isWipe}
          disabled={!desk.canWipe}
          onClick={() => desk.show('wipe')}
        >
          Wipe <Kbd>w</Kbd>
        </button>
      </fieldset>
    </div>
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
  const first = Math.max(0, Math.min(at - MAX_PLAYERS / 2, able.length - MAX_PLAYERS));
  return new Set(able.slice(first, first + MAX_PLAYERS).map(({ id }) => id));
}

/** What is decided, or looked at, and the two words that a person has. */
function Verdict({ desk, question }: Props<'desk' | 'question'>) {
  const { is, decided, options, count } = question;
  const { looked, isLive } = desk;
  const name = looked ? optionName(looked, question) : '';
  const isWhole = options.length > 0 && options.every(({ isReady }) => isReady);
  const isShown =
    is === 'pick'
      ? decided?.chosen.length === 1 && decided.chosen[0] === looked?.key
      : (decided?.chosen.length ?? 0) > 0;
  const canApprove = isLive && !isShown && (is === 'pick' ? looked?.isReady === true : isWhole);
  const canReject = isLive && (is === 'pick' ? looked?.isReady === true : isWhole);
  return (
    <div class="verdict mid flow">
      <p class="ask soft">
        <Standing desk={desk} question={question} name={name} />
      </p>
      {decided && decided.by === 'person' ? (
        <button class="act" type="button" disabled={!isLive} onClick={() => desk.note('why')}>
          {decided.note ? 'Say why anew' : 'Say why'} <Kbd>y</Kbd>
        </button>
      ) : null}
      <button class="act" type="button" disabled={!canReject} onClick={() => desk.note('reject')}>
        <span>
          {is === 'pick' ? 'Reject' : 'Say no'}
          <span class="wide">, with a note</span>
        </span>{' '}
        <Kbd>r</Kbd>
      </button>
      <button
        class={`act${decided ? '' : ' first'}`}
        type="button"
        disabled={!canApprove}
        onClick={() => desk.approve()}
      >
        <span>{is === 'pick' ? `${count > 1 ? 'Add' : 'Approve'} ${name}` : 'Approve'}</span> <Kbd>a</Kbd>
      </button>
    </div>
  );
}

function Standing({ desk, question, name }: Props<'desk' | 'question' | 'name'>) {
  const { is, decided, by, count } = question;
  if (desk.begun.length > 0 && count > 1)
    return (
      <>
        {desk.begun.length} of {count} chosen, best first
      </>
    );
  if (decided) {
    const who = decided.by === 'person' ? '' : ` (${byWhom(decided)})`;
    return (
      <>
        {is === 'pick' ? 'Chosen: ' : ''}
        <b>
          {desk.chosenWords(question)}
          {who}
          {decided.note ? `, “${decided.note}”` : ''}
        </b>
        . {is === 'pick' ? 'Choose another to change it.' : 'Answer again to change it.'}
      </>
    );
  }
  if (by !== 'person')
    return (
      <>
        {by === 'rule' ? 'Its rule decides' : 'Its judge decides'}; a person's word outranks that. Looking at {name}
      </>
    );
  return (
    <>
      Looking at <b>{name}</b>
      {count > 1 ? `; ${count} are to be chosen, best first` : ''}
    </>
  );
}

/** Frames for which ticks are drawn one by one. */
const MAX_TICKS = 120;

/** Play, single frames, and a line to draw along. It follows the clock by itself: a frame that passes redraws nothing else. */
function Transport({ clock, desk }: Props<'clock' | 'desk'>) {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => clock.follow(() => drawAgain(null)), [clock]);
  const { frame, frames, fps, isPlaying } = clock;
  return (
    <div class="transport mid">
      <button class="act small" type="button" aria-label="One frame back" onClick={() => clock.step(-1)}>
        ←
      </button>
      <button
        class="act small play"
        type="button"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={() => clock.toggle()}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d={isPlaying ? 'M2 1h3v10H2zM7 1h3v10H7z' : 'M2 1l9 5-9 5z'} />
        </svg>
      </button>
      <button class="act small" type="button" aria-label="One frame on" onClick={() => clock.step(1)}>
        →
      </button>
      <button class="act small sound" type="button" aria-pressed={desk.hasSound} onClick={() => desk.sound()}>
        Sound <Kbd>s</Kbd>
      </button>
      <Scrub clock={clock} />
      <p class="code num">
        {timeCode(frame, fps)}{' '}
        <span>
          {frame + 1}/{frames}
        </span>
      </p>
    </div>
  );
}

/** The line to draw along. */
function Scrub({ clock }: Props<'clock'>) {
  const { frame, frames } = clock;
  const along = frames > 1 ? frame / (frames - 1) : 0;
  const seek = (share: number) => {
    if (clock.isPlaying) clock.pause();
    clock.seek(share * (frames - 1));
  };
  return (
    <div
      class="scrub"
      role="slider"
      tabIndex={0}
      aria-label="Frame"
      aria-valuemin={1}
      aria-valuemax={frames}
      aria-valuenow={frame + 1}
      aria-valuetext={`frame ${frame + 1} of ${frames}`}
      {...drawnAlong(seek)}
    >
      <div class="ticks" style={{ '--ticks': Math.max(1, Math.min(MAX_TICKS, frames - 1)) }} />
      <i style={{ transform: `scaleX(${along})` }} />
      <b style={{ left: `${along * 100}%` }} />
    </div>
  );
}

/** `0:01:06`: minutes, seconds, frames. */
function timeCode(frame: number, fps: number): string {
  const each = Math.max(1, Math.round(fps));
  const seconds = Math.floor(frame / each);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}:${two(frame % each)}`;
}
