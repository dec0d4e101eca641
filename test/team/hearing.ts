/** What is told at the team's, for a test. */
import type { TeamDatabase } from '../../src/team/database/team-database.ts';

export type Hear = (topic: string, listener: () => void) => () => void;

/** One connection for all who hear. */
export async function hearing(
  team: TeamDatabase,
): Promise<{ readonly hear: Hear; readonly close: () => Promise<void> }> {
  const listeners = new Map<string, Set<() => void>>();
  const { close } = await team.listen(
    'shotlist',
    topic => {
      for (const listener of listeners.get(topic) ?? []) listener();
    },
    () => {},
  );
  const hear: Hear = (topic, listener) => {
    const all = listeners.get(topic) ?? new Set();
    listeners.set(topic, all.add(listener));
    return () => void all.delete(listener);
  };
  return { hear, close };
}
