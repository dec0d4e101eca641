/** Whole-process tests run what a user runs: the bundle of this tree, built first where it is older. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_FROM, sourcesDigest } from '../../build/sources-digest.ts';
import { makeReadyBundle } from './ready-bundle.ts';

export default function build(): void {
  const builtFrom = join('dist', BUILT_FROM);
  const isBuilt = existsSync(builtFrom) && readFileSync(builtFrom, 'utf8').trim() === sourcesDigest();
  if (!isBuilt) execFileSync(process.execPath, ['build.config.ts'], { stdio: 'inherit' });
  makeReadyBundle();
}
