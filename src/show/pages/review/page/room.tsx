/** The whole page: a head, the list of questions, the stage, and the last message. */
import { render } from 'preact';
import { useEffect, useReducer, useRef } from 'preact/hooks';
import { MARK } from '../../../../model/text/markup.ts';
import { copy } from '../../parts/copying.ts';
import type { FrameClock } from '../../parts/in-step.ts';
import { showKeys } from '../../parts/keyboard.ts';
import { isOpen } from './decisions.ts';
import type { Desk } from './desk.ts';
import { Kbd, type Props } from './kbd.tsx';
import { Live } from './live-shots.tsx';
import { Rail } from './rail.tsx';
import { Stage } from './stage/stage.tsx';
import { optionName, words } from './words.ts';

export function drawRoom(desk: Desk, clock: FrameClock): void {
  const room = document.getElementById('room');
  if (room) render(<Room desk={desk} clock={clock} />, room);
}

function Room({ desk, clock }: Props<'desk' | 'clock'>) {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => desk.follow(() => drawAgain(null)), [desk]);
  const { head, questions } = desk.state;
  const open = questions.filter(isOpen).length;
  const { live } = desk.state;
  // Nothing is to be chosen, and the help is left out.
  const isAlone = live !== undefined && questions.length === 0;
  useEffect(() => {
    const room = document.getElementById('room');
    room?.toggleAttribute('data-writing', live !== undefined);
    room?.toggleAttribute('data-alone', isAlone);
  }, [live === undefined, isAlone]);
  useEffect(() => {
    document.title = `${open > 0 ? `(${open}) ` : ''}${head.name} · Shotlist review`;
  }, [open, head.name]);
  return (
    <>
      <header class="top mid">
        <span class="brand mid">
          <img class="sign" src={`data:image/svg+xml,${encodeURIComponent(MARK)}`} alt="" />
          Shotlist
        </span>
        <h1 class="cut">
          {head.name}
          {head.profile === null ? '' : `, ${head.profile}`}
        </h1>
        <p class="live note num" role="status" data-line={desk.line}>
          {lineOf(desk)}
        </p>
        <button class="act" type="button" id="keys-open" onClick={showKeys}>
          Keys <Kbd>?</Kbd>
        </button>
      </header>
      {isAlone ? null : <Rail desk={desk} />}
      <main id="main">
        {head.closed === null || live?.mistakes ? null : <p class="closed">{head.closed}</p>}
        {live ? <Live live={live} isAlone={isAlone} /> : null}
        {desk.here ? (
          <Stage desk={desk} clock={clock} question={desk.here} />
        ) : live ? null : (
          <p class="nothing soft">
            Nothing of {head.file} is to be chosen or approved at this moment. What a run comes to appears here.
          </p>
        )}
      </main>
      {isAlone ? null : <Announcement desk={desk} />}
      <NoteDialog desk={desk} />
      <div class="toast" id="toast" role="status" />
    </>
  );
}

function lineOf({ line, state: { head, live, questions } }: Desk): string {
  if (live && line === 'ended') return words.watched();
  return live && line === 'live' && questions.length === 0 ? words.saved(live) : words.live(line, head, questions);
}

function Announcement({ desk }: Props<'desk'>) {
  const { message, here } = desk;
  const { command } = message;
  const bar = useRef<HTMLDivElement>(null);
  // On a phone it lies over the page, with the controls above it.
  useEffect(() => {
    if (!bar.current) return;
    const sized = new ResizeObserver(([to]) =>
      document.body.style.setProperty('--told', `${to?.borderBoxSize[0]?.blockSize ?? 0}px`),
    );
    sized.observe(bar.current);
    return () => sized.disconnect();
  }, []);
  const left = desk.state.questions.filter(one => isOpen(one) && one.key !== here?.key).length;
  return (
    <div class={`told mid${message.isFresh ? ' fresh' : ''}`} ref={bar}>
      <p class="clamp" role="status">
        {message.words}
      </p>
      {command === null ? null : (
        <span class="cmd">
          <code>{command}</code>
          <button class="copy" type="button" onClick={() => void copy(command, 'The command')}>
            Copy
          </button>
        </span>
      )}
      <span class="fill" />
      {desk.canTakeBack ? (
        <button class="act" type="button" disabled={!desk.isLive} onClick={() => desk.takeBack()}>
          <span>
            Take <span class="wide">it</span> back
          </span>{' '}
          <Kbd>z</Kbd>
        </button>
      ) : null}
      {left > 0 ? (
        <button class={`act${here?.decided ? ' first' : ''}`} type="button" onClick={() => desk.next(1)}>
          <span>
            Next <span class="wide">undecided</span>
          </span>{' '}
          <Kbd>n</Kbd>
        </button>
      ) : null}
    </div>
  );
}

/** A note: why something is rejected, or chosen. Enter sends it, Shift with Enter begins a line. */
function NoteDialog({ desk }: Props<'desk'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const { noting, here, looked } = desk;
  useEffect(() => {
    desk.writesNotes(() => {
      if (!dialog.current || !text.current || dialog.current.open) return;
      text.current.value = desk.noting === 'why' ? (desk.here?.decided?.note ?? '') : '';
      dialog.current.returnValue = '';
      dialog.current.showModal();
      text.current.focus();
    });
  }, [desk]);
  const title = here ? desk.title(here) : '';
  const what = here?.is === 'pick' && looked ? `${optionName(looked, here)} of ${title}` : title;
  const verb = noting === 'why' ? 'Keep' : here?.is === 'approve' ? 'Say no' : 'Reject';
  const send = (event: Event) => {
    event.preventDefault();
    const note = text.current?.value ?? '';
    dialog.current?.close('sent');
    desk.noted(note);
  };
  return (
    <dialog
      id="note"
      ref={dialog}
      aria-labelledby="note-h"
      onClose={() => {
        if (dialog.current?.returnValue !== 'sent') desk.note(null);
      }}
    >
      <form method="dialog" onSubmit={send}>
        <h2 id="note-h">{noting === 'why' ? `Why ${here ? desk.chosenWords(here) : ''}?` : `${verb}: ${what}`}</h2>
        <label for="note-text">
          {noting === 'why'
            ? 'It stands in the lock beside the choice'
            : 'Why: kept in the lock, the report and `previous.note`'}
        </label>
        <textarea
          id="note-text"
          ref={text}
          rows={3}
          maxLength={4000}
          onKeyDown={event => {
            if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event);
          }}
        />
        <div class="row">
          <button class="act" type="button" onClick={() => dialog.current?.close('')}>
            Cancel <Kbd>Esc</Kbd>
          </button>
          <button class="act first" type="submit">
            {verb} <Kbd>Enter</Kbd>
          </button>
        </div>
      </form>
    </dialog>
  );
}
