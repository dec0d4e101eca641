/** One candidate: its picture, text or sound, or how far it is; its number; what is known of it. */
import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MediaFacts } from '../../../../../model/media/media.ts';
import { freeText } from '../../../../../model/run/run-money.ts';
import { formatSeconds, formatUsd } from '../../../../../model/text/format.ts';
import { now } from '../../../parts/browser-clock.ts';
import { answer } from '../../../parts/element.ts';
import { clock as clockText } from '../../../parts/format.ts';
import type { FrameClock } from '../../../parts/in-step.ts';
import { mediaText } from '../../../parts/media.ts';
import type { ReviewOption, ReviewQuestion } from '../../review-state.ts';
import type { Desk } from '../desk.ts';
import { Kbd, type Props } from '../kbd.tsx';
import { byWhom, optionName, rejectedBy, waitWords } from '../words.ts';
import { Player } from './player.tsx';

interface TakeProps {
  readonly desk: Desk;
  readonly clock: FrameClock;
  readonly question: ReviewQuestion;
  readonly option: ReviewOption;
  /** From 0. */
  readonly at: number;
  readonly isPlayed: boolean;
  /** Of its prompt, what it does not share with the others. */
  readonly words: string;
}

const is = (claim: boolean): '' | undefined => (claim ? '' : undefined);

export function Take({ desk, clock, question, option, at, isPlayed, words }: TakeProps) {
  const { id, key, isReady, rejected } = option;
  const { decided, count } = question;
  const rank = decided?.chosen.indexOf(key) ?? -1;
  const begun = desk.begun.indexOf(id);
  const isChosen = question.is === 'pick' ? rank >= 0 : (decided?.chosen.length ?? 0) > 0;
  const isLooked = desk.focus === id;
  const name = optionName(option, question);
  const number = at + 1;
  return (
    <section
      class="take"
      aria-label={name}
      data-focus={is(isLooked && !isChosen)}
      data-chosen={is(isChosen)}
      data-begun={is(begun >= 0)}
      data-out={is(rejected !== null)}
      data-now={is(isChosen && desk.landed === question.key)}
      onFocusCapture={() => desk.lookAt(id)}
    >
      <Frame {...{ desk, clock, option, isPlayed, isLooked, name }} />
      <div class="under">
        <span class="n">{number}</span>
        <span class="state note clamp">
          {name === `take ${number}` ? '' : <b>{name} </b>}
          {stateWords({ question, option, isChosen, rank, begun, isLooked })}
        </span>
        {question.is === 'pick' ? (
          <button class="act choose" type="button" disabled={!isReady || !desk.isLive} onClick={() => desk.choose(id)}>
            {count > 1 ? (begun >= 0 ? 'Let go' : 'Add') : 'Choose'}
            <span class="away"> {name}</span> {number <= 9 ? <Kbd>{number}</Kbd> : null}
          </button>
        ) : null}
        {words === '' ? null : (
          <p class="words clamp" title={option.prompt ?? ''}>
            {words}
          </p>
        )}
        <About question={question} option={option} isFree={desk.state.head.isFree} />
      </div>
    </section>
  );
}

interface Standing {
  readonly question: ReviewQuestion;
  readonly option: ReviewOption;
  readonly isChosen: boolean;
  readonly rank: number;
  readonly begun: number;
  readonly isLooked: boolean;
}

function stateWords({ question, option, isChosen, rank, begun, isLooked }: Standing): string {
  const { decided, count } = question;
  if (begun >= 0) return count === 1 ? 'into the lock…' : `place ${begun + 1} of ${count}`;
  if (isChosen && decided) {
    const verb = question.is === 'approve' ? 'approved' : count > 1 ? `chosen, place ${rank + 1},` : 'chosen';
    return `${verb} by ${byWhom(decided)}, ${timeOf(decided.at)}`;
  }
  if (option.rejected) return rejectedBy(option.rejected);
  if (!option.isReady) return option.state === 'failed' ? 'failed' : 'on its way';
  return isLooked ? 'looking at this one' : '';
}

/** Today by the clock, before that by the day. */
function timeOf(unix: number): string {
  const at = new Date(unix);
  const isToday = at.toDateString() === new Date(now()).toDateString();
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return isToday ? time : `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}, ${time}`;
}

/** A text that is longer than its place is scrolled by keys. */
const SCROLLED = { tabIndex: 0, role: 'group' } as const;

function Frame({
  desk,
  clock,
  option,
  isPlayed,
  isLooked,
  name,
}: Props<'desk' | 'clock' | 'option' | 'isPlayed' | 'isLooked' | 'name'>) {
  const { id, media, isReady, isHere, text } = option;
  const time = useNow(option.since !== null && !isReady);
  const style = { '--ratio': ratioOf(media?.facts) };
  const look = () => desk.lookAt(id);
  if (isReady && media === null)
    return (
      <section class="frame text" style={style} aria-label={`${name}, its text`} {...SCROLLED}>
        <div ref={box => box?.replaceChildren(answer(text ?? 'It has no picture, and no words.'))} />
      </section>
    );
  const [large, small] = isReady ? ['', ''] : waitWords(option, time);
  return (
    <button
      class="frame"
      type="button"
      style={style}
      aria-label={isReady ? `${name}: look at this one` : `${name}, ${large}, ${small}`}
      onClick={look}
      onDblClick={() => desk.choose(id)}
    >
      {isReady && media && isHere ? (
        <Content {...{ clock, media, isPlayed }} hasSound={desk.hasSound && isLooked} />
      ) : (
        <span class="wait" aria-hidden="true">
          <strong class="large num">{isReady ? 'Not here' : large}</strong>
          <span>
            {isReady ? 'its content is not on this machine any more; a run fetches it or makes it again' : small}
          </span>
          {option.fraction === null ? null : <i class="progress" style={{ transform: `scaleX(${option.fraction})` }} />}
        </span>
      )}
    </button>
  );
}

export function Content({ clock, media, isPlayed, hasSound }: Props<'clock' | 'media' | 'isPlayed' | 'hasSound'>) {
  const { sha256, facts } = media;
  if (facts.kind === 'image') return <img class="whole" src={`media/${sha256}`} alt="" draggable={false} />;
  const label = facts.kind === 'audio' ? <span class="heard large num">{clockText(facts.duration ?? 0)}</span> : null;
  if (!isPlayed) return label ?? <img class="whole" src={`still/${sha256}`} alt="" />;
  return (
    <>
      {label}
      <Player {...{ clock, media, hasSound }} />
    </>
  );
}

export function ratioOf(facts: MediaFacts | undefined): number {
  const { width, height } = facts ?? {};
  return width && height ? width / height : 16 / 9;
}

/** Once a second, where something counts. */
function useNow(counts: boolean): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (!counts) return;
    const timer = setInterval(() => setTime(now()), 1000);
    return () => clearInterval(timer);
  }, [counts]);
  return time;
}

interface AboutProps {
  readonly question: ReviewQuestion;
  readonly option: ReviewOption;
  readonly isFree: boolean;
}

function About({ question, option, isFree }: AboutProps) {
  const { seed, media, cost, seconds, generation, score, model, isReady, rejected } = option;
  const models = new Set(question.options.map(one => one.model));
  const rows: readonly (readonly [string, string | null, 'mono'?])[] = [
    ['Score', score && `${round(score.score)}${score.words ? `, ${score.words}` : ''}`],
    ['Rejected', rejected?.note ? `${rejected.note} (${rejected.who})` : null],
    ['Model', models.size > 1 ? model : null],
    ['Seed', seed],
    ['Picture', media ? mediaText(media) : isReady ? null : 'not yet'],
    [
      'Cost',
      cost === null
        ? 'not known'
        : `${isFree ? freeText(cost) : formatUsd(cost)}${seconds === null ? '' : `, ${formatSeconds(seconds)} to make`}`,
    ],
    ['Id', generation, 'mono'],
  ];
  return (
    <dl class="about note">
      {rows.map(([name, value, font]) =>
        value ? (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd class={`cut ${font ?? ''}`} title={value}>
              {value}
            </dd>
          </Fragment>
        ) : null,
      )}
    </dl>
  );
}

const round = (score: number): string => String(Math.round(score * 1000) / 1000);
