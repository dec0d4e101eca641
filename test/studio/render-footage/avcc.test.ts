import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPackets } from '../../../src/media/decode/packets.ts';
import { encode } from '../../../src/media/encode/encoder.ts';
import { h264, rateOf } from '../../../src/media/encode/encoder-settings.ts';
import { firstFreeId, merged, parameterSets } from '../../../src/studio/animatic/picture/splice.ts';
import { folder } from './rig.ts';

async function extradata(extra = ''): Promise<Buffer> {
  const out = join(await folder(), 'one.mp4');
  await encode({ graph: 'color=size=64x64:rate=24,trim=end_frame=1[v]', video: h264(rateOf(24), { extra }), out });
  return (await readPackets(out, 'video'))!.extradata;
}

test('two films’ parameter sets stand side by side under their own ids', async () => {
  const first = parameterSets(await extradata())!;
  expect(firstFreeId(first)).toBe(1);
  const second = parameterSets(await extradata(':sps-id=1'))!;
  const both = parameterSets(merged(first, second))!;
  expect(both.sequence).toEqual([...first.sequence, ...second.sequence]);
  expect(both.picture).toEqual([...first.picture, ...second.picture]);
  expect(both.tail).toEqual(first.tail);
  expect(firstFreeId(both)).toBe(2);
});

test('bytes of another kind are no parameter sets', () => {
  expect(parameterSets(Buffer.from([0, 0, 0, 1, 0x67, 0x64, 0, 10, 1]))).toBeUndefined();
  expect(parameterSets(Buffer.alloc(0))).toBeUndefined();
});
