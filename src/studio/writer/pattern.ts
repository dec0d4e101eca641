/**
 * A text that a regular expression matches, for schemas with a `pattern`: each part of it said in its simplest way. What looks around
 * itself or refers back is passed over; whoever asks checks the text against the real expression.
 */

/** Undefined where it cannot be read. `nth` changes what may change, so that several texts differ. */
export function textMatching(pattern: string, nth: number): string | undefined {
  try {
    const reader = { source: pattern, at: 0, nth };
    const text = alternatives(reader);
    return reader.at === pattern.length ? text : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

interface Reader {
  readonly source: string;
  at: number;
  readonly nth: number;
}

function alternatives(reader: Reader): string {
  const all = [sequence(reader)];
  while (reader.source[reader.at] === '|') {
    reader.at++;
    all.push(sequence(reader));
  }
  return all[reader.nth % all.length] ?? '';
}

function sequence(reader: Reader): string {
  let text = '';
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? '')) {
    const say = atom(reader);
    const times = repeats(reader);
    for (let n = 0; n < times; n++) text += say(n);
  }
  return text;
}

type Say = (n: number) => string;

function atom(reader: Reader): Say {
  const { source, nth } = reader;
  const char = source[reader.at++] ?? '';
  switch (char) {
    case '^':
    case '$':
      return () => '';
    case '.':
      return n => LETTERS[(nth + n) % 26] ?? 'a';
    case '[':
      return oneOf(characterClass(reader), nth);
    case '(':
      return group(reader);
    case '\\':
      return escaped(reader);
    case '*':
    case '+':
    case '?':
      throw new Unreadable();
    default:
      return () => char;
  }
}

function group(reader: Reader): Say {
  const start = /^\?(?::|<[a-zA-Z_]\w*>)/.exec(reader.source.slice(reader.at));
  const looks = /^\?<?[=!]/.exec(reader.source.slice(reader.at));
  reader.at += (start ?? looks)?.[0].length ?? 0;
  const text = alternatives(reader);
  if (reader.source[reader.at++] !== ')') throw new Unreadable();
  return () => (looks ? '' : text);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '1234567890';
const CLASSES: Readonly<Record<string, string>> = { d: DIGITS, w: LETTERS, s: ' ', D: LETTERS, W: ' -', S: LETTERS };
const CONTROL: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', 0: '\0' };

function escaped(reader: Reader): Say {
  const char = reader.source[reader.at++] ?? '';
  if (char === 'b' || char === 'B') return () => '';
  const named = /^\{[^}]*\}/.exec(reader.source.slice(reader.at));
  if ((char === 'p' || char === 'P') && named) {
    reader.at += named[0].length;
    if (char === 'P') return oneOf('-', reader.nth);
    const kind = named[0].slice(1, -1);
    return oneOf(/^N|Number/.test(kind) ? DIGITS : /Lu|Upper/.test(kind) ? LETTERS.toUpperCase() : LETTERS, reader.nth);
  }
  const code = char === 'x' ? 2 : char === 'u' ? 4 : 0;
  if (code > 0) {
    const hex = /^\{?([0-9a-fA-F]+)\}?/.exec(reader.source.slice(reader.at, reader.at + 8));
    if (!hex) throw new Unreadable();
    const digits = hex[0].startsWith('{') ? hex[0] : hex[0].slice(0, code);
    reader.at += digits.length;
    return () => String.fromCodePoint(Number.parseInt(digits.replace(/[{}]/g, ''), 16));
  }
  if (/[1-9]/.test(char)) throw new Unreadable();
  return oneOf(CLASSES[char] ?? CONTROL[char] ?? char, reader.nth);
}

const oneOf =
  (characters: string, nth: number): Say =>
  n => {
    const all = [...characters];
    if (all.length === 0) throw new Unreadable();
    return all[(nth + n) % all.length] ?? '';
  };

/** The characters of `[…]`, letters first: a text of them reads best. */
function characterClass(reader: Reader): string {
  const { source } = reader;
  const negated = source[reader.at] === '^';
  if (negated) reader.at++;
  let found = '';
  while (source[reader.at] !== ']') {
    if (reader.at >= source.length) throw new Unreadable();
    const from = classCharacter(reader);
    if (from.length === 1 && source[reader.at] === '-' && source[reader.at + 1] !== ']') {
      reader.at++;
      const to = classCharacter(reader);
      for (let code = from.charCodeAt(0); code <= Math.min(to.charCodeAt(0), from.charCodeAt(0) + 200); code++)
        found += String.fromCharCode(code);
    } else found += from;
  }
  reader.at++;
  if (negated)
    return [...LETTERS, ...DIGITS, ...LETTERS.toUpperCase(), ' '].filter(char => !found.includes(char)).join('');
  const letters = [...found].filter(char => /[a-z]/.test(char));
  return letters.length > 0 ? letters.join('') : found;
}

function classCharacter(reader: Reader): string {
  const char = reader.source[reader.at++] ?? '';
  if (char !== '\\') return char;
  const next = reader.source[reader.at++] ?? '';
  return CLASSES[next] ?? CONTROL[next] ?? (next === 'b' ? '\b' : next);
}

/** The fewest that are allowed, and one or two where none would do: `a*` says nothing otherwise. */
function repeats(reader: Reader): number {
  const { source } = reader;
  const counted = /^\{(\d+)(,?)(\d*)\}/.exec(source.slice(reader.at));
  const char = source[reader.at] ?? '';
  let times = 1;
  if (counted) {
    reader.at += counted[0].length;
    const least = Number(counted[1]);
    const most = counted[2] === '' ? least : counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3]);
    if (least > 4096) throw new Unreadable();
    times = Math.max(least, Math.min(3, most));
  } else if (char === '*' || char === '+' || char === '?') {
    reader.at++;
    times = char === '?' ? 0 : char === '*' ? 0 : 3;
  } else return 1;
  if (source[reader.at] === '?') reader.at++;
  return times;
}
