/** What is decided, or looked at, and the two words that a person has. */
import type { ReviewQuestion } from '../review-state.ts';
import type { Desk } from './desk.ts';
import { Kbd } from './kbd.tsx';
import { optionName } from './names.ts';
import { byWhom } from './words.ts';

export function Verdict({ desk, question }: { readonly desk: Desk; readonly question: ReviewQuestion }) {
  const { is, decided, options, count } = question;
  const { looked, isLive } = desk;
  const name = looked ? optionName(looked, question) : '';
  const isWhole = options.length > 0 && options.every(({ isReady }) => isReady);
  const isSaid =
    is === 'pick'
      ? decided?.chosen.length === 1 && decided.chosen[0] === looked?.key
      : (decided?.chosen.length ?? 0) > 0;
  const canApprove = isLive && !isSaid && (is === 'pick' ? looked?.isReady === true : isWhole);
  const canReject = isLive && (is === 'pick' ? looked?.isReady === true : isWhole);
  return (
    <div class="verdict">
      <p class="ask">
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

interface StandingProps {
  readonly desk: Desk;
  readonly question: ReviewQuestion;
  readonly name: string;
}

function Standing({ desk, question, name }: StandingProps) {
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
        . {is === 'pick' ? 'Another number changes it.' : 'Another word changes it.'}
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
