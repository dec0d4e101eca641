/** What went wrong, from the bodies that services answer with. Remote text must go through `Transport.clean` before it is shown. */
import { cleanText } from '../domain/clean.ts';
import { recordIn } from '../domain/json.ts';

const MAX_CHARACTERS = 300;

/**
 * The reason in an error's body, whatever its shape: `{error: {message}}`, `{error}`, `{message}`, `{detail}`, `{errors: []}`,
 * or plain text. A page of HTML is never passed on. Undefined when there is nothing to say.
 */
export function bodyErrorText(body: string): string | undefined {
  const parsed = recordIn(body);
  const found = parsed === undefined ? unlessMarkup(body) : reasonIn(parsed);
  return found === undefined || HTML_PAGE.test(found) || oneLine(found) === '' ? undefined : found;
}

const HTML_PAGE = /<\s*(!doctype|html|head|body|script|title|h1)\b/i;
const unlessMarkup = (body: string): string | undefined => (body.trimStart().startsWith('<') ? undefined : body);

/** Where a reason may stand in a JSON body, the most telling first. */
const REASON_FIELDS = [
  'error',
  'errors',
  'message',
  'detail',
  'error_message',
  'status_message',
  'title',
  'msg',
] as const;

function reasonIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > 3) return undefined;
  if (Array.isArray(value)) {
    const reasons = value.slice(0, 20).map(item => reasonIn(item, depth + 1));
    return reasons.filter(reason => reason !== undefined).join('; ') || undefined;
  }
  for (const place of REASON_FIELDS) {
    const reason = Object.hasOwn(value, place)
      ? reasonIn((value as Record<string, unknown>)[place], depth + 1)
      : undefined;
    if (reason !== undefined && reason.trim() !== '') return reason;
  }
  return undefined;
}

/** The text without escape sequences, control and format characters, its white space as single blanks. */
export const oneLine = (text: string): string =>
  cleanText(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

export const shortened = (line: string): string =>
  line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1).trimEnd()}…`;
