/** Numbers and times as they are written elsewhere, and how they are written here. */

/** `$5`, `5€`, `5,00`, `5 USD`, `1_000`, `10k`, `24fps`, `2x`, `200%`, `50 cents`, `two` → the number; undefined where more than a number and its unit is written. */
export function numberMeant(text: string): number | undefined {
  const word = WORDS.indexOf(text.trim().toLowerCase());
  if (word >= 0) return word;
  const [, sign = '', amount = '', unit = ''] =
    /^(-?)[$€£¥]? ?(\d[\d_',]*(?:\.\d+)?) ?([a-z]*|[%$€£¥])$/i.exec(text.trim()) ?? [];
  const isGrouped = /^\d{1,3}(?:[_',]\d{3})+(?:\.\d+)?$/.test(amount);
  const number = Number(sign + (isGrouped ? amount.replaceAll(/[_',]/g, '') : amount.replace(',', '.')));
  // Minutes are no number of seconds, and nothing is no zero.
  if (amount === '' || !Number.isFinite(number) || (UNITS.get(unit.toLowerCase()) ?? SECOND) !== SECOND)
    return undefined;
  if (/^k$/i.test(unit)) return number * 1_000;
  return unit === '%' || /^(?:cents?|ct|c)$/i.test(unit) ? number / 100 : number;
}

/** The number of each is its place. */
const WORDS = 'zero one two three four five six seven eight nine ten'.split(' ');

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Characters; a longer text is no number. */
const MAX_LENGTH = 40;

/** Milliseconds by name. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ...['ms', 'msec'].map(name => [name, 1] as const),
  ...['s', 'sec', 'secs', 'second', 'seconds'].map(name => [name, SECOND] as const),
  ...['m', 'min', 'mins', 'minute', 'minutes'].map(name => [name, MINUTE] as const),
  ...['h', 'hr', 'hrs', 'hour', 'hours'].map(name => [name, HOUR] as const),
]);

/** `90s`, `5m`, `1.5h`, as they are written here. */
export function millisecondsIn(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS.get(unit) ?? 1);
}

/** `5 minutes`, `1h30`, `2,5s`, `PT10M` → `5m`, `90m`, `2.5s`, `10m`. */
export function durationMeant(text: string): string | undefined {
  const written = text
    .trim()
    .toLowerCase()
    .replace(/^pt?(?=\d)/, '')
    .replaceAll(/(?<=\d),(?=\d)/g, '.');
  if (text.length > MAX_LENGTH || !/^(?:\d+(?:\.\d+)? ?[a-z]+ ?)*(?:\d+(?:\.\d+)?)?$/.test(written)) return undefined;
  let sum = 0;
  let before = 0;
  for (const [, amount = '', name = ''] of written.matchAll(/(\d+(?:\.\d+)?) ?([a-z]*)/g)) {
    // `1h30`: what follows hours without a unit is minutes.
    const unit = name === '' ? before / 60 : (UNITS.get(name) ?? 0);
    if (unit < 1) return undefined;
    sum += Number(amount) * unit;
    before = unit;
  }
  return shortest(sum);
}

/** Also a clock: `0:03`, `1:02:03.5`. */
export function timeMeant(text: string): string | undefined {
  const [, hours = '0', minutes = '', seconds = ''] =
    /^(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:[.,]\d+)?)$/.exec(text.trim()) ?? [];
  if (minutes === '') return durationMeant(text);
  return shortest(Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds.replace(',', '.')) * SECOND);
}

function shortest(milliseconds: number): string | undefined {
  if (milliseconds < 1) return undefined;
  if (milliseconds % HOUR === 0) return `${milliseconds / HOUR}h`;
  if (milliseconds % MINUTE === 0) return `${milliseconds / MINUTE}m`;
  return `${milliseconds / SECOND}s`;
}
