/** How durations, money and sizes read, everywhere: in plans, on screen, in plain text and in reports. */

/** `0.4s`, `12.3s`, `1m 05s`, `2h 07m`. */
export function formatSeconds(seconds: number): string {
  const known = Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
  return known < 59.95 ? `${known.toFixed(1)}s` : formatClock(known);
}

/** Whole seconds, for what is still ticking: `0s`, `12s`, `1m 05s`, `2h 07m`. */
export function formatTicking(seconds: number): string {
  const known = Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
  return known < 60 ? `${Math.floor(known)}s` : formatClock(Math.floor(known));
}

/** US dollars: `$0.60`, `$1,234.50`; under ten cents as many digits as tell it apart from nothing: `$0.0035`. */
export function formatUsd(usd: number): string {
  if (Number.isNaN(usd)) return 'an unknown sum';
  if (Math.abs(usd) > MAX_SHOWN_USD) return `${usd < 0 ? 'less than -' : 'more than '}${formatUsd(MAX_SHOWN_USD)}`;
  const size = Math.abs(usd);
  const digits =
    size > 0 && size < 0.1 ? { minimumFractionDigits: 2, maximumSignificantDigits: 2 } : { minimumFractionDigits: 2 };
  const text = size.toLocaleString('en-US', { maximumFractionDigits: 2, ...digits });
  return `${usd < 0 ? '-' : ''}$${text}`;
}

/** A budget may have three hundred digits, which are too many to show. */
const MAX_SHOWN_USD = 1e12;

/** Decimal units, as shops and file managers count: `640 B`, `12 kB`, `4.1 MB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit >= 2 && value < 99.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

function formatClock(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (n: number) => String(n).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${two(whole % 60)}s`;
  return `${Math.floor(whole / 3600)}h ${two(Math.floor((whole % 3600) / 60))}m`;
}

/** `1,234`, of a whole number. The first number of `Intl` costs a command 12 ms and 6 MB. */
export const number = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
/** `1 step`, `1,234 steps` */
export const counted = (count: number, noun: string): string => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `a`, `a and b`, `a, b and c`: several things as a sentence names them. */
export const listed = (things: readonly string[], last: 'and' | 'or' = 'and'): string =>
  things.length < 2 ? things.join('') : `${things.slice(0, -1).join(', ')} ${last} ${things.at(-1)}`;

/**
 * `a, b and 3 more`: the first of them by name, and how many there are beside.
 *
 * @param count of all, where `things` are the first of them.
 */
export const listedFew = (things: readonly string[], most: number, count = things.length): string =>
  things.slice(0, most).join(', ') + (count > most ? ` and ${number(count - most)} more` : '');
