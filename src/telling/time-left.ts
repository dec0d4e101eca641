/** How long it will take still, told from how long it took so far: only once enough of it is made to say so. */
import type { StepTally } from './step-tally.ts';
import { isOpen } from './step-tally.ts';

/** Instances of a step that this run must have made before anything is said. */
const ENOUGH = 3;
/** Milliseconds that work on it must have lasted. */
const LONG_ENOUGH = 2_000;

/** Milliseconds that the rest of a step takes at the pace of what is made; null while nobody can tell. */
export function msLeft(tally: StepTally, now: number): number | null {
  const { made, fractions, since, instances, done, failed, blocked } = tally;
  if (!isOpen(tally)) return 0;
  if (since === null || made < ENOUGH || now - since < LONG_ENOUGH || tally.asking + tally.overBudget > 0) return null;
  const left = instances.length - done - failed - blocked - fractions;
  return (Math.max(0, left) * (now - since)) / (made + fractions);
}

/** Of the whole run; null while nobody can tell of one of its steps. Steps of one chain that are at work together overlap. */
export function msLeftOfAll(tallies: readonly StepTally[], now: number): number | null {
  const each = tallies.map(tally => msLeft(tally, now));
  return each.includes(null) ? null : Math.max(0, ...(each as readonly number[]));
}

/** `about 20s left`, `about 4m left`, `about 2h 10m left`. */
export function timeLeftText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 57.5) return `about ${Math.max(5, Math.round(seconds / 5) * 5)}s left`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return `about ${minutes}m left`;
  return `about ${Math.floor(minutes / 60)}h ${String(Math.round((minutes % 60) / 10) * 10).padStart(2, '0')}m left`;
}
