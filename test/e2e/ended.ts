import { expect } from 'vitest';
import type { Ended } from './stage.ts';

/** Expects that a command ends with this code, and with this on standard error. */
export async function ends(running: Promise<Ended>, exit: number, said: string | RegExp = ''): Promise<void> {
  const ended = await running;
  const stderr = typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said);
  expect([ended.exit, ended.stderr]).toEqual([exit, stderr]);
}
