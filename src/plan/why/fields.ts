/** Two requests of one instance, held against each other field by field, as they were kept: no plan is needed for it. */
import type { Asked, AskedValue } from '../../domain/asked.ts';
import { isSame } from './changes.ts';

export interface AskedField {
  readonly name: string;
  readonly is: 'same' | 'changed' | 'new' | 'gone';
  readonly was: AskedValue | undefined;
  readonly now: AskedValue | undefined;
}

/** What differs comes first. @param was as it was kept: long texts may be cut. */
export function askedFields(was: Asked, now: Asked): readonly AskedField[] {
  const all = [...new Set([...Object.keys(now), ...Object.keys(was)])].map((name): AskedField => {
    const [before, after] = [was[name], now[name]];
    return { name, is: verdict(before, after), was: before, now: after };
  });
  return [...all.filter(({ is }) => is !== 'same'), ...all.filter(({ is }) => is === 'same')];
}

function verdict(was: AskedValue | undefined, now: AskedValue | undefined): AskedField['is'] {
  if (isSame(was, now)) return 'same';
  if (was === undefined) return 'new';
  return now === undefined ? 'gone' : 'changed';
}
