/** What can be copied: commands, ids, requests. A toast confirms it. The page has an element `toast` with the role `status`. */
import { byId, html } from './element.ts';
import { capital } from './format.ts';

/** Milliseconds. */
const SHOWN = 2400;

let hiding: ReturnType<typeof setTimeout> | undefined;

function toast(text: string): void {
  byId('toast').textContent = text;
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    byId('toast').textContent = '';
  }, SHOWN);
}

/** @param what as the toast names it: `The command`. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  toast(`${what} copied`);
}

/** Pages opened from a disk may have no clipboard. */
function copyBySelection(text: string): void {
  const area = html('textarea.away', { readonly: true, 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** @param what `the generation id` */
export const copyButton = (text: string, what: string): HTMLButtonElement =>
  html('button.copy', { 'aria-label': `Copy ${what}`, onclick: () => void copy(text, capital(what)) }, 'Copy');

/** A command to type, and a button that copies it. */
export const commandLine = (text: string): HTMLElement =>
  html('span.cmd', commandText(text), copyButton(text, 'the command'));

/** One that lacks something that only who types it knows. */
export const commandToFill = (text: string): HTMLElement => html('span.cmd', commandText(text));

const commandText = (text: string): HTMLElement =>
  html('code', { tabindex: 0, role: 'group', 'aria-label': 'A command' }, text);
