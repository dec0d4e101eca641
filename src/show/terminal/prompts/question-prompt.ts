/**
 * One question at a terminal: what is highlighted, chosen and written so far, and what a key does to that. Pure. The keys:
 *
 *     pick      1…9 choose · ↑ ↓ highlight, Enter choose · n a note first · o open the file · r review page · l later
 *     approve   y yes · n no, and why · w words first · o open the file · r review page · l later
 *
 * With more than nine candidates digits make a number, which is highlighted, and Enter chooses. Of several that are to be chosen, each
 * is marked in the order of its rank, and once more takes the mark away.
 */
import type { Option } from '../../../model/run/event.ts';
import type { OpenQuestion } from '../../../run/ports/decider.ts';

type Asked = Pick<OpenQuestion, 'key' | 'is' | 'ask' | 'count' | 'options' | 'awaited'>;

export interface Prompt {
  readonly asked: Asked;
  /** Id of the highlighted one. */
  readonly at: string | undefined;
  /** Ids that are marked, best first. */
  readonly marked: readonly string[];
  /** A number of more than one digit while it is typed. */
  readonly digits: string;
  /** What is being written; `why` follows a no. */
  readonly writing: 'nothing' | 'note' | 'why';
  readonly note: string;
  /** What came of the last key, where that needs a word. */
  readonly notice: string;
}

/** What a key asks for. */
export type Act =
  /** `chosen`: ids, best first; none: not approved. */
  | { readonly is: 'answer'; readonly chosen: readonly string[]; readonly note: string }
  | { readonly is: 'open'; readonly option: Option }
  | { readonly is: 'review' }
  | { readonly is: 'later' };

interface Pressed {
  readonly prompt: Prompt;
  readonly act?: Act;
}

export const promptOf = (asked: Asked): Prompt => ({
  ...{ asked, at: asked.options[0]?.id, marked: [], digits: '', writing: 'nothing', note: '', notice: '' },
});

/** There is more to choose from, or less: what is gone is neither highlighted nor marked any more. */
export function withAsked(prompt: Prompt, asked: Asked): Prompt {
  const ids = new Set(asked.options.map(({ id }) => id));
  const at = prompt.at !== undefined && ids.has(prompt.at) ? prompt.at : asked.options[0]?.id;
  return { ...prompt, asked, at, marked: prompt.marked.filter(id => ids.has(id)) };
}

/** Characters: it is one line of a lock. */
const LONGEST_NOTE = 500;

/** @param key one key as the terminal sends it: a character, `\r`, `\x7f`, `\x1b[A`. */
export function pressed(before: Prompt, key: string): Pressed {
  const prompt = { ...before, notice: '' };
  if (prompt.writing !== 'nothing') return whileWriting(prompt, key);
  if (key === 'o') {
    const option = highlighted(prompt);
    return option ? { prompt, act: { is: 'open', option } } : { prompt };
  }
  if (key === 'r') return { prompt, act: { is: 'review' } };
  if (key === 'l') return { prompt, act: { is: 'later' } };
  const moved = MOVES[key];
  if (moved !== undefined) return { prompt: { ...moveBy(prompt, moved), digits: '' } };
  return prompt.asked.is === 'approve' ? whileApproving(prompt, key) : whilePicking(prompt, key);
}

export const highlighted = ({ asked, at }: Prompt): Option | undefined => asked.options.find(({ id }) => id === at);

const MOVES: Readonly<Record<string, number>> = {
  ...{ '\x1b[A': -1, '\x1bOA': -1, k: -1, '\x1b[B': 1, '\x1bOB': 1, j: 1, '\x1b[5~': -9, '\x1b[6~': 9 },
};

function moveBy(prompt: Prompt, by: number): Prompt {
  const { options } = prompt.asked;
  const place = options.findIndex(({ id }) => id === prompt.at);
  const next = Math.max(0, Math.min(options.length - 1, place + by));
  return { ...prompt, at: options[next]?.id };
}

const ENTER = new Set(['\r', '\n']);
const ERASE = new Set(['\x7f', '\b']);

function whileApproving(prompt: Prompt, key: string): Pressed {
  const { asked, note } = prompt;
  if (key === 'y') return { prompt, act: { is: 'answer', chosen: asked.options.map(({ id }) => id), note } };
  if (key === 'n')
    return note === ''
      ? { prompt: { ...prompt, writing: 'why' } }
      : { prompt, act: { is: 'answer', chosen: [], note } };
  return key === 'w' ? { prompt: { ...prompt, writing: 'note' } } : { prompt };
}

function whilePicking(prompt: Prompt, key: string): Pressed {
  const { asked, digits, at, marked } = prompt;
  if (key === 'n') return { prompt: { ...prompt, writing: 'note' } };
  if (/^\d$/.test(key)) return typed(prompt, digits + key);
  if (ERASE.has(key)) return { prompt: { ...prompt, digits: digits.slice(0, -1) } };
  if (!ENTER.has(key) || at === undefined) return { prompt };
  // All that are wanted are marked: that is the answer, whatever is highlighted.
  if (asked.count > 1 && marked.length === asked.count) return answered(prompt, marked);
  return choose({ ...prompt, digits: '' }, at);
}

function typed(prompt: Prompt, digits: string): Pressed {
  const { options } = prompt.asked;
  const option = options[Number(digits) - 1];
  if (!option) return { prompt: { ...prompt, digits: '', notice: `there is no number ${digits}` } };
  const there = { ...prompt, at: option.id };
  return options.length > 9 ? { prompt: { ...there, digits } } : choose(there, option.id);
}

function choose(prompt: Prompt, id: string): Pressed {
  const { asked, marked } = prompt;
  if (asked.count <= 1) return answered(prompt, [id]);
  if (marked.includes(id)) return { prompt: { ...prompt, marked: marked.filter(one => one !== id) } };
  if (marked.length === asked.count)
    return { prompt: { ...prompt, notice: `${asked.count} are marked already; Enter takes them` } };
  const next = [...marked, id];
  return { prompt: { ...prompt, marked: next, notice: next.length === asked.count ? 'Enter takes these' : '' } };
}

const answered = (prompt: Prompt, chosen: readonly string[]): Pressed => ({
  prompt,
  act: { is: 'answer', chosen, note: prompt.note },
});

function whileWriting(prompt: Prompt, key: string): Pressed {
  const { writing, note } = prompt;
  if (ENTER.has(key)) {
    const done: Prompt = { ...prompt, writing: 'nothing', note: note.trim() };
    return writing === 'why' ? { prompt: done, act: { is: 'answer', chosen: [], note: done.note } } : { prompt: done };
  }
  if (key === '\x1b') return { prompt: { ...prompt, writing: 'nothing', note: '' } };
  if (ERASE.has(key)) return { prompt: { ...prompt, note: [...note].slice(0, -1).join('') } };
  const isText = !key.startsWith('\x1b') && !/\p{Cc}/u.test(key);
  return { prompt: isText ? { ...prompt, note: [...(note + key)].slice(0, LONGEST_NOTE).join('') } : prompt };
}
