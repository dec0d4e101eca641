/** A note: why something is rejected, or chosen. Enter sends it, Shift with Enter begins a line. */
import { useEffect, useRef } from 'preact/hooks';
import type { Desk } from './desk.ts';
import { Kbd } from './kbd.tsx';
import { optionName } from './names.ts';

export function NoteDialog({ desk }: { readonly desk: Desk }) {
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
  const send = () => {
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
      <form
        method="dialog"
        onSubmit={event => {
          event.preventDefault();
          send();
        }}
      >
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
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
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
