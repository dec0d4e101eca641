/** Whole-process tests run what a user runs: the bundle, made afresh from this tree. */
import { execFileSync } from 'node:child_process';

export default function build(): void {
  execFileSync(process.execPath, ['build.config.ts'], { stdio: 'inherit' });
}
