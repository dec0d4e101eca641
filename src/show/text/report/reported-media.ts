/** Media of a result, as a report names it: by content. */

import type { MediaFacts } from '../../../model/media/media.ts';
import type { CommandFile, ListedFile, StoredResult } from '../../../model/run/result.ts';
import type { ReportedInstance, ReportedMedia } from '../../../model/run/run-report.ts';
import { cleanText } from '../../../model/text/clean.ts';

/** Nothing that a browser need have. */
const NEEDS_PROXY: ReadonlySet<string> = new Set(['hevc', 'h265', 'prores', 'dnxhd', 'mpeg2video', 'mpeg4', 'ffv1']);

export function mediaOf(result: StoredResult | undefined): ReportedMedia | null {
  if (result?.is === 'media') return reported(result.sha256, result.media, result.bytes);
  if (result?.is !== 'command') return null;
  const [only, ...more] = filesOf(result);
  return only && more.length === 0 ? only.media : null;
}

/** All that a command made, where that is more than one piece. */
export function filesOf(result: StoredResult | undefined): ReportedInstance['files'] {
  if (result?.is !== 'command') return [];
  return Object.entries(result.files).flatMap(([name, given]) =>
    isList(given) ? given.flatMap(one => named(`${name}/${one.name}`, one)) : named(name, given),
  );
}

const isList = (given: CommandFile | readonly ListedFile[]): given is readonly ListedFile[] => Array.isArray(given);

const named = (name: string, { sha256, media, bytes }: CommandFile): ReportedInstance['files'] =>
  media ? [{ name: cleanText(name), media: reported(sha256, media, bytes) }] : [];

const reported = (sha256: string, facts: MediaFacts, bytes: number): ReportedMedia => ({
  ...{ sha256, facts, bytes },
  needsProxy: NEEDS_PROXY.has(facts.video_codec ?? '') || facts.format === 'mov',
});
