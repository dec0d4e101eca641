import { expect, test } from 'vitest';
import { missingPackages, whyNothingIsDrawn, whyNotLoaded } from '../../src/machine/process/optional-packages.ts';

function only(...installed: readonly string[]) {
  return (name: string): string => {
    if (installed.includes(name)) return `/node_modules/${name}`;
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  };
}

test('a whole installation lacks nothing, and draws', () => {
  expect(missingPackages()).toEqual([]);
  expect(whyNothingIsDrawn()).toBeUndefined();
});

test('what is missing is named in one sentence, with the command that installs it', () => {
  expect(whyNothingIsDrawn(missingPackages(only()))).toBe(
    'the built-in studio draws with packages that are not installed here (@fontsource-variable/noto-sans-sc, ' +
      '@fontsource/inter, @fontsource/jetbrains-mono and 5 more): install them with `npm install --include=optional`, ' +
      'then give the same command again',
  );
  expect(whyNothingIsDrawn(['sharp'])).toContain('(sharp)');
});

test('a package that cannot be loaded is told from a bug', () => {
  const absent = Object.assign(new Error("Cannot find package 'sharp' imported from x.js"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  const install = 'with `npm install --include=optional`';
  expect(whyNotLoaded(absent, ['sharp'])).toBe(
    `it takes packages that are not installed here (sharp): install them ${install}`,
  );
  const native = new Error('Could not load the "sharp" module using the linux-x64 runtime\nPossible solutions:\n- …');
  expect(whyNotLoaded(native, [])).toBe(
    `a package cannot be loaded here (Could not load the "sharp" module using the linux-x64 runtime): install it again ${install}`,
  );
  expect(whyNotLoaded(new TypeError('x is not a function'), ['sharp'])).toBeUndefined();
});
