/**
 * Marks a copy of a file as synthetic: XMP with IPTC's digital source type, in PNG, JPEG, WebP, MP4 and MOV. What the file has about itself
 * stays: a packet is added to, and a file with Content Credentials is left as it is, because any change would break their signature.
 */
import { open } from 'node:fs/promises';
import type { MediaFacts } from '../../model/media/media.ts';
import { type SourceType, sourceTypeAddress } from '../../model/source-type.ts';
import { bytesOf, type Edit } from './byte-edits.ts';
import { type Container, jpeg, type Marks, mp4, png, webp } from './containers.ts';

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

// An XMP packet (ISO 16684-1) that names the digital source type of a file, or the same added to a packet that is there.

export interface Mark {
  readonly type: SourceType;
  /** Name and version of the program that writes it: `Shotlist 0.1.0`. */
  readonly tool: string;
}

export const markOf = (type: SourceType, version: string | null | undefined): Mark => ({
  type,
  tool: `Shotlist ${version ?? ''}`.trim(),
});

/** As IPTC's Photo Metadata Standard and its Video Metadata Hub write the property. */
const IPTC = 'xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"';
const PROPERTY = 'DigitalSourceType';

const typed = ({ type }: Mark): string =>
  `<Iptc4xmpExt:${PROPERTY}>${sourceTypeAddress(type)}</Iptc4xmpExt:${PROPERTY}>`;

const packetOf = (mark: Mark): Buffer =>
  Buffer.from(
    [
      '<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>',
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
      `<rdf:Description rdf:about="" ${IPTC} xmlns:xmp="http://ns.adobe.com/xap/1.0/">`,
      `${typed(mark)}<xmp:CreatorTool>${mark.tool}</xmp:CreatorTool>`,
      '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>',
    ].join('\n'),
  );

/** The term that a packet names, as an element or an attribute; undefined where it names none of IPTC's. */
const sourceTypeIn = (packet: Buffer): string | undefined =>
  /DigitalSourceType(?:=["']|>|[^<]*?rdf:resource=["'])\s*https?:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/(\w+)/.exec(
    packet.toString('utf8'),
  )?.[1];

/** Undefined where the packet names its source type already, or cannot be added to: it stays as it is. */
function packetWith(mark: Mark, packet: Buffer): Buffer | undefined {
  const text = packet.toString('utf8');
  const end = [...text.matchAll(/<\/([\w.-]+):RDF\s*>/g)].at(-1);
  if (text.includes(PROPERTY) || end === undefined || !Buffer.from(text).equals(packet)) return undefined;
  const [, rdf = 'rdf'] = end;
  const more = `<${rdf}:Description ${rdf}:about="" ${IPTC}>${typed(mark)}</${rdf}:Description>`;
  return Buffer.from(text.slice(0, end.index) + more + text.slice(end.index));
}
