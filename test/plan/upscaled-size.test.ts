/** How large an upscaled clip is: planned and drawn alike, by the shape that the clip was meant to have. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { expectedFacts, knownFacts } from '../../src/plan/media/media-fields.ts';
import { sameRatio } from '../../src/studio/animatic/request/frame-size.ts';

test.each([
  [[854, 480], '1080p', [1920, 1080]],
  [[852, 480], '1080p', [1918, 1080]],
  [[853, 480], '720p', [1280, 720]],
  [[480, 854], '1080p', [1080, 1920]],
  [[960, 540], '1080p', [1920, 1080]],
  [[640, 480], '720p', [960, 720]],
  [[1120, 480], '1080p', [2520, 1080]],
  [[900, 480], '1080p', [2026, 1080]],
  [[214, 120], '1080p', [1920, 1080]],
  [[20, 19], '720p', [758, 720]],
] as const)('%j at %s', ([width, height], resolution, [wide, high]) => {
  const model = modelLibrary.get('V-UP')!;
  const facts = knownFacts({ kind: 'video', width, height });
  const planned = expectedFacts(model, { input_video: 'https://a.example/a.mp4', resolution }, () => facts);
  expect(planned?.media).toMatchObject({ width: wide, height: high });
  expect(sameRatio({ width, height }, resolution, 'full')).toEqual({ width: wide, height: high });
});
