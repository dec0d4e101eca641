/** H.264 parameter sets as MP4 keeps them (`avcC`, ISO/IEC 14496-15, 5.3.3.1). */

export interface ParameterSets {
  /** Version, profile, compatibility, level, length size. */
  readonly head: Buffer;
  readonly sequence: readonly Buffer[];
  readonly picture: readonly Buffer[];
  /** Chroma format and bit depths, in the high profiles. */
  readonly tail: Buffer;
}

/** Undefined when the bytes are not an `avcC` with four-byte lengths. */
export function parameterSets(extradata: Buffer): ParameterSets | undefined {
  if (extradata.length < 8 || extradata[0] !== 1 || (extradata[4]! & 3) !== 3) return undefined;
  let at = 5;
  const read = (count: number): Buffer[] =>
    Array.from({ length: count }, () => {
      const length = extradata.readUInt16BE(at);
      const set = extradata.subarray(at + 2, at + 2 + length);
      at += 2 + length;
      return set;
    });
  const sequence = read(extradata[at++]! & 31);
  const picture = read(extradata[at++]!);
  return { head: extradata.subarray(0, 5), sequence, picture, tail: extradata.subarray(at) };
}

/** Both films' sets, so that packets of either decode. Their ids must differ. */
export function merged(first: ParameterSets, second: ParameterSets): Buffer {
  const counted = (sets: readonly Buffer[]) =>
    sets.flatMap(set => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(set.length);
      return [length, set];
    });
  const sequence = [...first.sequence, ...second.sequence];
  const picture = [...first.picture, ...second.picture];
  return Buffer.concat([
    first.head,
    Buffer.of(0xe0 | sequence.length),
    ...counted(sequence),
    Buffer.of(picture.length),
    ...counted(picture),
    first.tail,
  ]);
}

/** An id that no sequence parameter set uses yet. x264 gives its picture parameter set the same one. */
export function firstFreeId({ sequence, picture }: ParameterSets): number {
  // An SPS carries its id after four bytes (unit, profile, constraints, level), a PPS after one.
  const used = new Set([
    ...sequence.map(set => exponential(set.subarray(4))),
    ...picture.map(set => exponential(set.subarray(1))),
  ]);
  for (let id = 1; id < 32; id++) if (!used.has(id)) return id;
  throw new Error('a film with 32 parameter sets');
}

/** The first unsigned Exp-Golomb number of some bytes. */
function exponential(bytes: Buffer): number {
  const bits = [...bytes.subarray(0, 4)].map(byte => byte.toString(2).padStart(8, '0')).join('');
  const zeros = bits.indexOf('1');
  return zeros < 0 ? 0 : Number.parseInt(bits.slice(zeros, zeros * 2 + 1), 2) - 1;
}
