/** How money, lengths of time and sizes read on a page. */
import { formatUsd } from '../../../model/text/format.ts';

/** `$0.30`; a dash for nothing, a question mark where it is unknown. */
export const money = (usd: number | null): string => (usd === null ? '?' : usd === 0 ? '–' : formatUsd(usd));

/** In a sentence: `$0.30`, `nothing`, `an unknown amount`. */
export const moneyInWords = (usd: number | null): string =>
  usd === null ? 'an unknown amount' : usd === 0 ? 'nothing' : formatUsd(usd);

/** As on a player: `0:20`, `3:16`, `1:02:03`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** `3.2 s`, `2 min 5 s`, `1 h 4 min`. */
export function span(seconds: number): string {
  if (seconds < 59.95) return `${Math.max(0, seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min${whole % 60 ? ` ${whole % 60} s` : ''}`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`;
}

/** Whole seconds, for what is still ticking: `12 s`, `2 min 5 s`. */
export const ticking = (seconds: number): string =>
  seconds < 60 ? `${Math.max(0, Math.floor(seconds))} s` : span(Math.floor(seconds));

/** How long it is past: `just now`, `5 min ago`, `3 h ago`. */
export function ago(seconds: number): string {
  if (seconds < 45) return 'just now';
  const [unit, size] = UNITS.find(([, size]) => seconds >= size * 0.95) ?? ['min', 60];
  return `${Math.max(1, Math.round(seconds / size))} ${unit} ago`;
}

/** Seconds. */
const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const;

/** In the reader's own zone: `12 June 2026, 14:32`. */
export const dayAndTime = (unix: number): string =>
  new Date(unix).toLocaleString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit' },
  });

export const timeOfDay = (unix: number): string =>
  new Date(unix).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** The text between the brackets of a key: `beat=3,take=2`. */
export const coordinatesIn = (key: string): string => /\[([^[]*)\]$/.exec(key)?.[1] ?? key;

/** With a capital letter and a full stop, whatever it came with. */
export const sentence = (text: string): string => withStop(capital(text));

export const withStop = (text: string): string => text.replace(/[^.!?…:]$/, '$&.');

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
