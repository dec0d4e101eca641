/** The review page: takes on one clock, a decision by one key, and a view of the journal that may be opened and closed at any moment. */
import { listenToKeys } from '../../parts/keyboard.ts';
import { readPageData } from '../../parts/read-page-data.ts';
import type { ReviewState } from '../review-state.ts';
import { followAddress } from './address.ts';
import { Desk } from './desk.ts';
import { FrameClock } from './frame-clock.ts';
import { keysOf } from './keys.ts';
import { followChanges, send } from './live.ts';
import { drawRoom } from './room.tsx';

async function begin(): Promise<void> {
  const desk = new Desk(await readPageData<ReviewState>('data'), send);
  const clock = new FrameClock();
  followAddress(desk);
  const keys = keysOf(desk, clock);
  drawRoom(desk, clock, keys);
  listenToKeys(keys, () => desk.letGo(), { isHeld: () => desk.isBusy, onFree: free => desk.whenFree(free) });
  followChanges(desk);
  document.documentElement.dataset.drawn = '';
}

void begin();
