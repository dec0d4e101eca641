/** Keys of a page: a table of what each does, and the dialog that lists them. Keys with Ctrl, Meta or Alt are the browser's. */
import { byId, html } from './element.ts';

export interface Key {
  /** Values of `KeyboardEvent.key`. */
  readonly keys: readonly string[];
  /** As they are shown, where that differs. */
  readonly shown?: readonly string[];
  readonly does: string;
  /** Absent: the focused element handles it. False: not now, the browser may have it. */
  readonly press?: (event: KeyboardEvent) => unknown;
}

/** A field of a dialog that was closed keeps the focus until the browser draws the next time: no one types there any more. */
export const isTyping = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
  target.closest('dialog:not([open])') === null;

interface Listening {
  /** Also in fields. */
  readonly onEscape: (event: KeyboardEvent) => void;
  /** Keeps a key for later; false: it is pressed now. */
  readonly keep?: (event: KeyboardEvent) => boolean;
}

/** Listens to the keys, and adds the dialog that lists them. Returns what presses one; false: it has no meaning. */
export function listenToKeys(table: readonly Key[], { onEscape, keep }: Listening): (event: KeyboardEvent) => boolean {
  document.body.append(keyDialog(table));
  const press = (event: KeyboardEvent): boolean => {
    const row = table.find(one => one.press && one.keys.includes(event.key));
    return row?.press !== undefined && row.press(event) !== false;
  };
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') return onEscape(event);
    if (!isTyping(event.target) && (keep?.(event) || press(event))) event.preventDefault();
  });
  return press;
}

/** A press beside it closes it. */
function keyDialog(table: readonly Key[]): HTMLDialogElement {
  const rows = table.flatMap(({ keys, shown = keys, does }) => [
    html(
      'dt',
      shown.map(text => html('kbd', text)),
    ),
    html('dd', does),
  ]);
  const close = ({ target }: Event) => target === dialog && dialog.close();
  const dialog = html(
    'dialog',
    { id: 'help', 'aria-labelledby': 'h-help', onclick: close },
    html('h2', { id: 'h-help' }, 'Keys'),
    html('dl.keys', rows),
  );
  return dialog;
}

export const showKeys = (): void => byId<HTMLDialogElement>('help').showModal();
