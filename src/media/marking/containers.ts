/** Where each kind of file keeps its XMP packet and its Content Credentials, and the edits that put a packet there. */
import type { Bytes, Edit } from './edits.ts';

export interface Marks {
  /** It carries Content Credentials. */
  readonly hasC2pa: boolean;
  /** Its XMP packet. */
  readonly packet?: Buffer | undefined;
  /** Undefined where the file has no room for it. */
  readonly put: (packet: Buffer) => readonly Edit[] | undefined;
}

export type Container = (file: Bytes) => Promise<Marks | undefined>;

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
