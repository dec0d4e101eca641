/**
 * What acted outside stays done for ever, also when its step asks for something else now, or is gone: its entry moves to a section of its
 * own, where no run takes anything out.
 */
import { type LockEntry, readEntry } from './lock-entry.ts';
import { type Block, blockOf } from './lock-text.ts';

/** The name of the section, beside those of the services. */
export const ACTED_OUTSIDE = 'acted-outside';

/**
 * Entries, by the keys that they have in their own section, that would be lost with these changes: something else comes to their place, or
 * nothing, and nobody asks for the same again.
 */
export function actsToKeep(
  section: ReadonlyMap<string, Block>,
  isReplaced: (key: string) => boolean,
  isAsked: (fingerprint: string) => boolean,
): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  for (const [key, block] of section) {
    if (!isReplaced(key)) continue;
    const fingerprint = block.fingerprint();
    if (fingerprint === undefined || isAsked(fingerprint)) continue;
    const entry = actIn(block);
    if (!entry) continue;
    const own = keyOf(key, fingerprint);
    kept.set(own, blockOf(own, entry));
  }
  return kept;
}

/** Few entries are, so the others are not read for it. */
function actIn(block: Block): LockEntry | undefined {
  if (!/^ +effect: true$/m.test(block.text())) return undefined;
  const entry = readEntry(block.value() ?? null);
  return typeof entry !== 'string' && 'effect' in entry ? entry : undefined;
}

/** `post[n=2]` → `post-1a2b3c4d[n=2]` */
const keyOf = (key: string, fingerprint: string): string =>
  key.replace(/^[^[]*/, step => `${step}-${fingerprint.slice(0, 8)}`);
