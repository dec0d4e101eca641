import { expect, it } from 'vitest';
import { nearest } from '../../src/model/text/nearest.ts';

it('finds the name that was meant', () => {
  expect(nearest('storybord', ['storyboard', 'story', 'board'])).toBe('storyboard');
  expect(nearest('sehd', ['sand', 'shed'])).toBe('shed');
  expect(nearest('v-t2v-a', ['V-I2V-A', 'V-T2V-A'])).toBe('V-T2V-A');
  expect(nearest('aspect-ratio', ['aspect_ratio'])).toBe('aspect_ratio');
  expect(nearest('of', ['on', 'off'])).toBe('off');
});

it('says nothing rather than something silly', () => {
  expect(nearest('x', ['y'])).toBeUndefined();
  expect(nearest('colour', ['prompt', 'seed'])).toBeUndefined();
  expect(nearest('', ['a'])).toBeUndefined();
  expect(nearest('a'.repeat(10_000), ['b'.repeat(10_000)])).toBeUndefined();
});
