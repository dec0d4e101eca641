/** Keys of a page: a table of what each does, and the dialog that lists them. Keys with Ctrl, Meta or Alt are the browser's. */
import { html } from './element.ts';

export interface Key {
  /** As `KeyboardEvent.key` says them. */
  readonly keys: readonly string[];
  /** As they are shown, where that differs. */
  readonly shown?: readonly string[];
  readonly does: string;
  /** Absent: whatever has the focus hears it itself. False: not now, the browser may have it. */
  readonly press?: (event: KeyboardEvent) => unknown;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** @param onEscape heard in fields, too. */
export function listenToKeys(table: readonly Key[], onEscape: (event: KeyboardEvent) => void): void {
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') return onEscape(event);
    if (isTyping(event.target)) return;
    const row = table.find(({ keys, press }) => press && keys.includes(event.key));
    if (row?.press && row.press(event) !== false) event.preventDefault();
  });
}

export function listKeys(list: HTMLElement, table: readonly Key[]): void {
  for (const { keys, shown = keys, does } of table)
    list.append(html('dt', {}, ...shown.map(text => html('kbd', { text }))), html('dd', { text: does }));
}
