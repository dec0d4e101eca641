/** WAV files, written by hand. */

interface WavFormat {
  readonly rate: number;
  readonly channels?: number;
  /** 32 bits are floats, 16 and 8 whole numbers. */
  readonly bits?: 8 | 16 | 32;
}

export function wavOf(samples: Buffer, { rate, channels = 1, bits = 16 }: WavFormat): Buffer {
  const frame = (channels * bits) / 8;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(bits === 32 ? 3 : 1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * frame, 28);
  head.writeUInt16LE(frame, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** Mono, 16 bits at 8 kHz. */
export const silentWav = (seconds: number): Buffer =>
  wavOf(Buffer.alloc(Math.round(seconds * 8000) * 2), { rate: 8000 });
