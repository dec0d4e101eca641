import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/text/json.ts';
import { expandPrompt, planFilm } from '../../../src/studio/animatic/kinds/text-to-video.ts';
import { lengthOf } from '../../../src/studio/animatic/request/film-length.ts';
import { render } from '../render-footage/rig.ts';

describe('how long a film is', () => {
  const long = (label: string, duration: string | number | undefined, prompt = 'a fox') => {
    const request: JsonObject = { prompt, ...(duration === undefined ? {} : { duration }) };
    const { seconds, notes } = lengthOf({ label, request });
    return notes.length > 0 ? notes.join() : seconds;
  };
  test.each([
    ['V-T2V-B', 7, 7],
    ['V-I2V-C', '8s', 8],
    ['V-I2V-C', '12', 12],
    ['V-I2V-C', '6 seconds', 6],
    ['V-I2V-C', '00:12', 12],
    ['V-I2V-D', 40, 40],
    ['V-I2V-A', '10s', 10],
    ['V-T2V-C', undefined, 5],
    ['V-I2V-E', undefined, 8],
    ['V-T2V-C', -1, '5 s chosen'],
    ['V-I2V-B', -1, '5 s chosen'],
    ['V-REF', -1, '5 s chosen'],
    ['V-I2V-C', 'auto', '5 s chosen'],
  ])('%s, %s', (label, duration, expected) => expect(long(label, duration)).toBe(expected));

  test.each([
    ['V-T2V-C', 'Shot 1: a fox. Shot 2: a wolf. Shot 3: both.', '9 s chosen'],
    ['V-T2V-C', '[0-3s] a fox [3-7.5s] a wolf', '8 s chosen'],
    ['V-T2V-C', '[0-1s] a fox [1-2s] a wolf', '4 s chosen'],
    ['V-T2V-C', '[0-10s] a fox [10-40s] a wolf', '15 s chosen'],
    ['V-I2V-C', '[0-10s] a fox [10-40s] a wolf', '30 s chosen'],
    ['V-T2V-C', '镜头1：一只狐狸。镜头2：一只狼。', '6 s chosen'],
  ])('%s left to the studio: “%s” is %s', (label, prompt, expected) => expect(long(label, -1, prompt)).toBe(expected));

  test.each([
    ['V-I2V-C', '00:40', 'duration 40 s is more than the 30 s of V-I2V-C: ask for less'],
    ['V-T2V-C', 16, 'duration 16 s is more than the 15 s of V-T2V-C: ask for less'],
    ['V-I2V-D', 1e6, 'duration 1000000 s is more than the 60 s of V-I2V-D: ask for less'],
  ])('%s, %s is refused', (label, duration, sentence) => expect(() => long(label, duration)).toThrow(sentence));
});

describe('sizes of the labels', () => {
  test.each([
    ['V-T2V-B', { resolution: '480P' }, '854×480'],
    ['V-T2V-B', { resolution: '768P' }, '1366×768'],
    ['V-T2V-B', {}, '1366×768'],
    ['V-T2V-B', { resolution: '768P', aspect_ratio: '9:16' }, '768×1366'],
    ['V-T2V-C', { resolution: '480p', aspect_ratio: '1:1' }, '480×480'],
    ['V-T2V-C', { resolution: '720p', aspect_ratio: '21:9' }, '1680×720'],
    ['V-T2V-C', { aspect_ratio: 'auto' }, '1280×720'],
    ['V-REF', {}, '1280×720'],
    ['V-T2V-A', {}, '1920×1080'],
    ['V-T2V-A', { aspect_ratio: '9:16', resolution: '720P' }, '720×1280'],
    ['V-T2V-A', { aspect_ratio: '1:1', resolution: '720P' }, '720×720'],
    ['V-T2V-A', { aspect_ratio: '4:3', resolution: '1080P' }, '1440×1080'],
    ['V-T2V-A', { aspect_ratio: '3:4', resolution: '720P' }, '720×960'],
  ])('%s %o is %s', (label, request, expected) => {
    const { size } = planFilm({ label, request: { prompt: 'a fox', ...request }, speed: 'full' });
    expect(`${size.width}×${size.height}`).toBe(expected);
  });
});

describe('prompt_expansion_mode', () => {
  const plan = (prompt_expansion_mode: string | undefined, prompt = 'a fox on a river') =>
    planFilm({
      label: 'V-T2V-B',
      request: { prompt, ...(prompt_expansion_mode ? { prompt_expansion_mode } : {}) },
      speed: 'draft',
    }).shots[0]!;
  test('balanced adds light, air and camera; quality also the size and the mood; without it nothing is added', () => {
    expect(plan(undefined)).not.toHaveProperty('added');
    expect(plan('balanced')).toMatchObject({ words: 'A fox on a river', camera: 'push-in', size: 'wide' });
    expect(plan('quality')).toMatchObject({ words: 'A fox on a river', camera: 'push-in', size: 'medium' });
    expect(plan('quality').added?.split(', ').length).toBe(5);
    expect(plan('balanced').added?.split(', ').length).toBe(3);
  });
  test('only quality adds to a long prompt, and none to a shot list', () => {
    const long = `a fox crosses a river ${'and waits for a long while '.repeat(5)}`;
    expect(expandPrompt(long, '1').added).toBe('');
    expect(expandPrompt(long, '1', 'quality').added).not.toBe('');
    expect(expandPrompt('[0-2s] a fox [2-4s] a wolf', '1', 'quality').added).toBe('');
  });
});

test('V-T2V-B takes every field it documents', async () => {
  const made = await render(
    'V-T2V-B',
    {
      prompt: 'a fox on a river',
      resolution: '480P',
      duration: 2,
      aspect_ratio: '1:1',
      enable_safety_checker: true,
      prompt_expansion_mode: 'quality',
      sync_mode: false,
    },
    {},
  );
  expect(made.facts).toMatchObject({ width: 120, height: 120, duration: 2, fps: 24, audio_codec: 'aac' });
});

test('V-T2V-C without generate_audio has no sound track, and the chosen length to the frame', async () => {
  const made = await render(
    'V-T2V-C',
    { prompt: '[0-2s] a fox [2-4s] a wolf', resolution: '480p', duration: -1, generate_audio: false, watermark: true },
    {},
  );
  expect(made.facts).toMatchObject({ width: 214, height: 120, duration: 4, audio_codec: null });
});
