import { afterAll, expect } from 'vitest';
import { type Ended, Stage } from './stage.ts';

/** Expects that a command ends with this code, and with this on standard error; gives how it ended. */
export async function ends(running: Promise<Ended>, exit: number, said: string | RegExp = ''): Promise<Ended> {
  const ended = await running;
  const stderr = typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said);
  expect([ended.exit, ended.stderr]).toEqual([exit, stderr]);
  return ended;
}

/** A stage for all tests of the file, which is disposed of behind them. */
export function openStage(): Stage {
  const stage = new Stage();
  afterAll(() => stage.dispose());
  return stage;
}
