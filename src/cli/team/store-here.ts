/** The results of a project on this machine, with the team's behind them, for a command that shows some of them. */
import { LocalStore } from '../../artifacts/local-store.ts';
import type { SharedResults } from '../../artifacts/shared/shared-results.ts';
import type { Store } from '../../artifacts/store.ts';
import type { Project } from '../../host/project.ts';
import { openShared } from '../../session/shared-results.ts';
import { stateFolders } from '../../session/state-folders.ts';
import type { Team } from '../../session/team/open-team.ts';
import { teamMessages as messages } from '../../session/team/team-messages.ts';
import { UsageError } from '../arguments.ts';

interface StoreHere extends AsyncDisposable {
  /** Of this machine. */
  readonly store: Store;
  readonly shared: SharedResults;
}

/** @throws UsageError where nobody said where the team keeps its results. */
export async function storeHere(project: Project, { name, store: choice }: Team): Promise<StoreHere> {
  if (!choice) throw new UsageError(messages.noStore(name));
  const store = await LocalStore.open((await stateFolders(project)).store);
  const shared = await openShared(choice, store);
  return {
    ...{ store, shared },
    [Symbol.asyncDispose]: async () => {
      await shared.end({ wait: 'for nothing' });
    },
  };
}
