/** A decision as it arrives, read field by field: nothing else of it is believed. */

import type { InstanceKey } from '../../../model/run/key.ts';
import { isObject, type Json, type JsonObject, recordIn } from '../../../model/text/json.ts';
import type { ReviewAction, Seen } from './review-state.ts';

/** Characters. */
const LONGEST_KEY = 2_000;
const LONGEST_NOTE = 4_000;
const MAX_CHOSEN = 1_000;

/** @returns what is wrong with it, as words, where it is no action. */
export function readAction(text: string): ReviewAction | string {
  const value = recordIn(text);
  if (value === undefined || !isObject(value)) return 'it is no JSON object';
  const { do: what, key } = value;
  if (!isText(key, LONGEST_KEY)) return '`key` names no question';
  const about = { key: key as InstanceKey };
  switch (what) {
    case 'decide': {
      const { chosen } = value;
      const [note, seen] = [noteIn(value), seenIn(value.seen)];
      if (!Array.isArray(chosen) || chosen.length > MAX_CHOSEN) return '`chosen` is no list';
      const ids = chosen as readonly Json[];
      if (!ids.every(isId) || new Set(ids).size < ids.length)
        return '`chosen` holds something other than ids, each once';
      if (note === undefined) return '`note` is no text';
      return seen === undefined ? '`seen` is no decision' : { do: 'decide', ...about, chosen: ids, note, seen };
    }
    case 'forget': {
      const seen = seenIn(value.seen);
      return seen === undefined ? '`seen` is no decision' : { do: 'forget', ...about, seen };
    }
    case 'reject': {
      const { option } = value;
      const note = noteIn(value);
      if (!isId(option)) return '`option` is no id';
      return note === undefined ? '`note` is no text' : { do: 'reject', ...about, option, note };
    }
    case 'accept': {
      const { option } = value;
      return isId(option) ? { do: 'accept', ...about, option } : '`option` is no id';
    }
    default:
      return '`do` is none of decide, reject, accept and forget';
  }
}

const isText = (value: Json | undefined, longest: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longest;
const isId = (value: Json | undefined): value is string => isText(value, LONGEST_KEY);

/** Null: there is none. Undefined: it is something else. */
function noteIn({ note = null }: JsonObject): string | null | undefined {
  if (note === null) return null;
  if (typeof note !== 'string' || note.length > LONGEST_NOTE) return undefined;
  return note.trim() === '' ? null : note.trim();
}

function seenIn(seen: Json = null): Seen | undefined {
  if (seen === null) return null;
  if (!isObject(seen)) return undefined;
  const { at, who } = seen;
  return typeof at === 'number' && typeof who === 'string' ? { at, who } : undefined;
}
