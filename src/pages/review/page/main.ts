/** The review page: takes on one clock, a decision by one key, and a view of the journal that may be opened and closed at any moment. */
import { addressed } from '../../parts/element.ts';
import { listenToKeys } from '../../parts/keyboard.ts';
import { readPageData } from '../../parts/read-page-data.ts';
import type { ReviewState } from '../review-state.ts';
import { Desk } from './desk.ts';
import { FrameClock } from './frame-clock.ts';
import { keysOf } from './keys.ts';
import { followChanges, send } from './live.ts';
import { drawRoom } from './room.tsx';

async function begin(): Promise<void> {
  const desk = new Desk(await readPageData<ReviewState>('data'), send);
  const clock = new FrameClock();
  followAddress(desk);
  drawRoom(desk, clock);
  listenToKeys(keysOf(desk, clock), () => desk.letGo(), {
    isHeld: () => desk.isBusy,
    onFree: free => desk.whenFree(free),
  });
  followChanges(desk);
  document.documentElement.dataset.drawn = '';
}

/** Where one is stands in the address, so that a reload, or a link that is kept, leads back: `#best[beat=3]&wipe`. */
function followAddress(desk: Desk): void {
  const [key = '', ...more] = addressed().split('&');
  if (desk.state.questions.some(one => one.key === key)) desk.go(key);
  if (more.includes('wipe')) desk.show('wipe');
  let before = '';
  desk.follow(() => {
    const now = desk.here ? `#${encodeURI(desk.here.key)}${desk.view === 'wipe' ? '&wipe' : ''}` : '';
    if (now === before) return;
    before = now;
    history.replaceState(null, '', now || '#');
  });
}

void begin();
