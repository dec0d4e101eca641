/**
 * Programs and rights of this machine that a few tests need. Where one is missing, the tests about it are skipped, and the last line of
 * the run says so; in CI a skipped test is an error.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { mount, unmount } from './small-disk.ts';

/** Debian's, unless the variable names another. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** What may be missing, whether it is there, and what brings it. */
const NEEDS = {
  chromium: { isHere: () => existsSync(CHROMIUM), from: '.ci/install-debian' },
  'espeak-ng': { isHere: () => isOnPath('espeak-ng'), from: '.ci/install-debian' },
  exiftool: { isHere: () => isOnPath('exiftool'), from: '.ci/install-debian' },
  bash: { isHere: () => isOnPath('bash'), from: '.ci/install-debian' },
  zsh: { isHere: () => isOnPath('zsh'), from: '.ci/install-debian' },
  fish: { isHere: () => isOnPath('fish'), from: '.ci/install-debian' },
  nvim: { isHere: () => isOnPath('nvim'), from: '.ci/install-debian' },
  'the right to mount a disk': { isHere: mayMount, from: 'sudo npm test' },
} as const satisfies Record<string, { readonly isHere: () => boolean; readonly from: string }>;

export type Need = keyof typeof NEEDS;

/**
 * True where something in the list is missing: for `test.skipIf(isMissing('chromium'))`.
 *
 * @throws in CI, where nothing may be skipped, with the command that brings it.
 */
export function isMissing(...needs: readonly Need[]): boolean {
  const text = needsText(...needs);
  if (text !== undefined && process.env.CI) throw new Error(`in CI no test is skipped: ${text}`);
  return text !== undefined;
}

/** What of these is missing, and the command that brings it; undefined where nothing is. */
export function needsText(...needs: readonly Need[]): string | undefined {
  const missing = needs.filter(need => !NEEDS[need].isHere());
  return missing.length === 0 ? undefined : install(missing);
}

/** `12 tests were skipped, as chromium and fish are missing: .ci/install-debian installs them`; undefined where nothing is missing. */
export function skippedLine(skipped: number): string | undefined {
  const text = skipped === 0 ? undefined : needsText(...(Object.keys(NEEDS) as Need[]));
  return text === undefined ? undefined : `${skipped} tests were skipped: ${text}`;
}

function install(missing: readonly Need[]): string {
  const commands = [...new Set(missing.map(need => NEEDS[need].from))];
  return commands
    .map(command => `${missing.filter(need => NEEDS[need].from === command).join(', ')} missing, run \`${command}\``)
    .join('; ');
}

const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, program)));

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'shotlist-mount-'));
  const may = mount(folder, 'size=64k') && unmount(folder);
  rmSync(folder, { recursive: true });
  return may;
}
