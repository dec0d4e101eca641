/** A store in memory, for what a team's store remembers of its database. */

import type { Clock } from '../../src/machine/time/clock.ts';
import type { NotePlace } from '../../src/records/store/shared/shared-place.ts';
import type { DatabaseMark } from '../../src/team/database/database-identity.ts';
import type { TeamDatabase } from '../../src/team/database/team-database.ts';
import { StoreMark } from '../../src/team/worker/store-mark.ts';

export class MemoryNotes implements NotePlace {
  readonly texts = new Map<string, string>();

  async readNote(name: string) {
    const text = this.texts.get(name);
    return text === undefined ? ({ is: 'missing' } as const) : ({ is: 'note', text } as const);
  }
  async writeNote(name: string, text: string) {
    this.texts.set(name, text);
    return { is: 'there' } as const;
  }
  async close() {}

  /** As a process with these connections has it. */
  markFor(database: TeamDatabase, { clock }: { readonly clock: Clock }): StoreMark {
    return new StoreMark({ place: this, database, clock, writes: true });
  }

  /** The only one. */
  get mark(): DatabaseMark | undefined {
    const [text] = this.texts.values();
    return text === undefined ? undefined : JSON.parse(text);
  }
}
