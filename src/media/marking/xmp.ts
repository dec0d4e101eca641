/** An XMP packet (ISO 16684-1) that names the digital source type of a file, or the same added to a packet that is there. */
import { type SourceType, sourceTypeAddress } from '../../model/source-type.ts';

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

export const packetOf = (mark: Mark): Buffer =>
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
export const sourceTypeIn = (packet: Buffer): string | undefined =>
  /DigitalSourceType(?:=["']|>|[^<]*?rdf:resource=["'])\s*https?:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/(\w+)/.exec(
    packet.toString('utf8'),
  )?.[1];

/** Undefined where the packet names its source type already, or cannot be added to: it stays as it is. */
export function packetWith(mark: Mark, packet: Buffer): Buffer | undefined {
  const text = packet.toString('utf8');
  const end = [...text.matchAll(/<\/([\w.-]+):RDF\s*>/g)].at(-1);
  if (text.includes(PROPERTY) || end === undefined || !Buffer.from(text).equals(packet)) return undefined;
  const [, rdf = 'rdf'] = end;
  const more = `<${rdf}:Description ${rdf}:about="" ${IPTC}>${typed(mark)}</${rdf}:Description>`;
  return Buffer.from(text.slice(0, end.index) + more + text.slice(end.index));
}
