/** Keys of a page: a table of what each does, and the dialog that lists them. Keys with Ctrl, Meta or Alt are the browser's. */
import { byId, html } from './element.ts';

export interface Key {
  /** As `KeyboardEvent.key` says them. */
  readonly keys: readonly string[];
  /** As they are shown, where that differs. */
  readonly shown?: readonly string[];
  readonly does: string;
  /** Absent: whatever has the focus hears it itself. False: not now, the browser may have it. */
  readonly press?: (event: KeyboardEvent) => unknown;
}

/** A field of a dialog that was closed keeps the focus until the browser draws the next time: nobody types there any more. */
const isTyping = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
  target.closest('dialog:not([open])') === null;

/** While something is under way, what a key means is not known yet. */
interface Holding {
  readonly isHeld: () => boolean;
  /** Called whenever that has ended. */
  readonly onFree: (free: () => void) => void;
}

/** Keys that are typed ahead. */
const MOST_HELD = 200;

/**
 * Listens to the keys, and adds the dialog that lists them.
 * @param onEscape heard in fields, too.
 * @param holding keys that come meanwhile are kept, and mean then what they would have meant: a note that is typed ahead is no choice.
 */
export function listenToKeys(table: readonly Key[], onEscape: (event: KeyboardEvent) => void, holding?: Holding): void {
  document.body.append(keyDialog(table));
  let held: readonly KeyboardEvent[] = [];
  const press = (event: KeyboardEvent): boolean => {
    const row = table.find(one => one.press && one.keys.includes(event.key));
    return row?.press !== undefined && row.press(event) !== false;
  };
  holding?.onFree(() => {
    while (held.length > 0 && !holding.isHeld()) {
      const [next, ...rest] = held;
      held = rest;
      if (next && !typed(next.key)) press(next);
    }
  });
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') {
      held = [];
      return onEscape(event);
    }
    if (isTyping(event.target)) return;
    if (holding?.isHeld()) {
      event.preventDefault();
      held = [...held, event].slice(0, MOST_HELD);
    } else if (press(event)) event.preventDefault();
  });
}

/** What was typed ahead goes where one is writing by then; false: nowhere. */
function typed(key: string): boolean {
  const field = document.activeElement;
  if (!isTyping(field)) return false;
  if (key === 'Enter') field.form?.requestSubmit();
  else if (key === 'Backspace') field.value = field.value.slice(0, -1);
  else if ([...key].length === 1) field.value += key;
  return true;
}

/** A press beside it closes it. */
function keyDialog(table: readonly Key[]): HTMLDialogElement {
  const rows = table.flatMap(({ keys, shown = keys, does }) => [
    html('dt', {}, ...shown.map(text => html('kbd', { text }))),
    html('dd', { text: does }),
  ]);
  const dialog = html(
    'dialog',
    { id: 'help', 'aria-labelledby': 'h-help' },
    html('h2', { id: 'h-help', text: 'Keys' }),
    html('dl', { class: 'keys' }, ...rows),
  );
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

export const showKeys = (): void => byId<HTMLDialogElement>('help').showModal();
