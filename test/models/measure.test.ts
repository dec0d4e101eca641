import { expect, test } from 'vitest';
import { brokenBound } from '../../src/model/text/measure.ts';

test.each([
  [{ atLeast: '4s' }, '3', { atLeast: '4s' }],
  [{ atLeast: '4s' }, '3.9 s', { atLeast: '4s' }],
  [{ atLeast: '4s' }, '4', undefined],
  [{ atLeast: '4s', atMost: ['30s'] }, '30.5s', { atMost: '30s' }],
  [{ atMost: ['1080p'] }, '1080P', undefined],
  [{ atMost: ['1080p'] }, '1081p', { atMost: '1080p' }],
  [{ atMost: ['4 MP'] }, '4.1MP', { atMost: '4 MP' }],
  [{ atMost: ['4K', '3840x2160'] }, '4096 x 2160', { atMost: '3840x2160' }],
  [{ atMost: ['4K', '3840x2160'] }, '4096x2160', { atMost: '3840x2160' }],
  [{ atMost: ['4K', '3840x2160'] }, '2160×3841', { atMost: '3840x2160' }],
  [{ atMost: ['1080p'] }, '4K', { atMost: '1080p' }],
  [{ atMost: ['1080p'] }, '2K', undefined],
  [{ atMost: ['1080p'] }, '1920x1080', undefined],
  [{ atMost: ['1080p'] }, '3840x2160', { atMost: '1080p' }],
  [{ atMost: ['4K', '3840x2160'] }, '2160p', undefined],
  [{ atMost: ['4K', '3840x2160'] }, '8K', { atMost: '4K' }],
  [{ atLeast: '1:3', atMost: ['3:1'] }, '99:1', { atMost: '3:1' }],
  [{ atLeast: '1:3', atMost: ['3:1'] }, '1:99', { atLeast: '1:3' }],
  [{ atLeast: '1:3', atMost: ['3:1'] }, '2.39:1', undefined],
])('%j and %s', (bounds, text, broken) => {
  expect(brokenBound(bounds, text)).toStrictEqual(broken);
});

test('what cannot be read, or is another kind of measure, breaks nothing', () => {
  const bounds = { atLeast: '4s', atMost: ['30s', '1080p'] };
  for (const text of ['auto', '', '1:30', '1080p', '99 MP', 'three seconds', '-1'])
    expect(brokenBound(bounds, text)).toBeUndefined();
});
