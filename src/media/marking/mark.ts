/**
 * Marks a copy of a file as synthetic: XMP with IPTC's digital source type, in PNG, JPEG, WebP, MP4 and MOV. What the file has about itself
 * stays: a packet is added to, and a file with Content Credentials is left as it is, because any change would break their signature.
 */
import { open } from 'node:fs/promises';
import type { MediaFacts } from '../../model/media/media.ts';
import { type Container, jpeg, type Marks, png, webp } from './containers.ts';
import { bytesOf, type Edit } from './edits.ts';
import { mp4 } from './mp4.ts';
import { type Mark, packetOf, packetWith, sourceTypeIn } from './xmp.ts';

/** By the format names of `MediaFacts`. */
const CONTAINERS: { readonly [format: string]: Container } = {
  ...{ png, apng: png, jpg: jpeg, webp },
  ...{ mp4, m4v: mp4, m4a: mp4, mov: mp4 },
};

/** Whether files of this format carry a mark. */
export const canBeMarked = ({ format = '' }: Pick<MediaFacts, 'format'>): boolean => format in CONTAINERS;

/** The marks that a file carries; none where its format is another. @throws what the disk throws. */
export async function ownMarks(
  path: string,
  facts: Pick<MediaFacts, 'format'>,
): Promise<Pick<MediaFacts, 'source_type' | 'c2pa'>> {
  const { packet, hasC2pa } = (await marksIn(path, facts)) ?? {};
  const type = packet && sourceTypeIn(packet);
  return { ...(type !== undefined && { source_type: type }), ...(hasC2pa && { c2pa: true }) };
}

/**
 * The edits that mark a copy of a file; none where it names its source type itself, carries Content Credentials, or cannot be marked.
 * @throws what the disk throws.
 */
export async function markingEdits(
  path: string,
  facts: Pick<MediaFacts, 'format'>,
  mark: Mark,
): Promise<readonly Edit[]> {
  const found = await marksIn(path, facts);
  if (!found || found.hasC2pa) return [];
  const packet = found.packet ? packetWith(mark, found.packet) : packetOf(mark);
  return (packet && found.put(packet)) ?? [];
}

async function marksIn(path: string, { format = '' }: Pick<MediaFacts, 'format'>): Promise<Marks | undefined> {
  const container = CONTAINERS[format];
  if (!container) return undefined;
  await using file = await open(path, 'r');
  return await container(await bytesOf(file));
}
