/** Where each kind of file keeps its XMP packet and its Content Credentials, and the edits that put a packet there. */
import type { OwnMark } from '../../domain/source-type.ts';
import type { Bytes, Edit } from './edits.ts';

export interface Marks {
  /** What the file says of itself already. */
  readonly own: ReadonlySet<OwnMark>;
  /** Its XMP packet. */
  readonly packet?: Buffer | undefined;
  /** Undefined where the file has no room for it. */
  readonly put: (packet: Buffer) => readonly Edit[] | undefined;
}

export type Container = (file: Bytes) => Promise<Marks | undefined>;

export const marks = (packet: Buffer | undefined, hasC2pa: boolean, put: Marks['put']): Marks => ({
  own: new Set([...(packet ? (['xmp'] as const) : []), ...(hasC2pa ? (['c2pa'] as const) : [])]),
  packet,
  put,
});

export const edit = (at: number, remove: number, ...insert: readonly Buffer[]): Edit => ({
  at,
  remove,
  insert: Buffer.concat(insert),
});

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A packet longer than this is none that we rewrite. */
export const MOST_OF_A_PACKET = 1_000_000;
