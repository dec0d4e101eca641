/** The review page: takes on one clock, a decision by one key, and a view of the journal that may be opened and closed at any moment. */

import { addressed } from '../../parts/element.ts';
import { listen } from '../../parts/event-stream.ts';
import { FrameClock } from '../../parts/in-step.ts';
import { isTyping, type Key, listenToKeys, showKeys } from '../../parts/keyboard.ts';
import { readPageData } from '../../parts/read-page-data.ts';
import type { ReviewAction, ReviewChange, ReviewReply, ReviewState } from '../review-state.ts';
import { Desk } from './desk.ts';
import { drawRoom } from './room.tsx';

/** The line to the program behind the page: changes come in by one stream, decisions go out one by one. It may be cut for a night. */

/** Milliseconds for which a hidden page goes on listening: a browser has few connections to one server. */
const UNSEEN = 300_000;

function followChanges(desk: Desk): void {
  let hangUp: (() => void) | undefined;
  let unseen: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    hangUp?.();
    hangUp = undefined;
  };
  const event = (name: string, data: string) => {
    if (name === 'closed') end();
    desk.setLine(name === 'closed' ? 'ended' : 'live');
    if (name === 'change') desk.take(JSON.parse(data) as ReviewChange);
  };
  const begin = () => {
    hangUp ??= listen('events', { event, down: () => desk.setLine('lost') });
  };
  const look = () => {
    clearTimeout(unseen);
    if (document.hidden) unseen = setTimeout(end, UNSEEN);
    else if (desk.line !== 'ended') begin();
  };
  document.addEventListener('visibilitychange', look);
  begin();
  look();
}

/** Never rejects. */
async function send(action: ReviewAction): Promise<ReviewReply> {
  const refused = (words: string): ReviewReply => ({ answer: { is: 'refused', words }, now: null });
  try {
    const answer = await fetch('decide', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    return answer.ok ? ((await answer.json()) as ReviewReply) : refused((await answer.text()).trim());
  } catch {
    return refused('the program behind this page does not answer: nothing was decided');
  }
}

async function begin(): Promise<void> {
  const desk = new Desk(await readPageData<ReviewState>('data'), send);
  const clock = new FrameClock();
  followAddress(desk);
  drawRoom(desk, clock);
  listenTo(desk, clock);
  followChanges(desk);
  document.documentElement.dataset.drawn = '';
}

/** Keys that are typed ahead. */
const MAX_HELD = 200;

/** Keys that come while a decision is under way are kept, and mean then what they would have meant: a note that is typed ahead is no choice. */
function listenTo(desk: Desk, clock: FrameClock): void {
  let held: readonly KeyboardEvent[] = [];
  const press = listenToKeys(keysOf(desk, clock), {
    onEscape: () => {
      held = [];
      desk.letGo();
    },
    keep: event => {
      if (desk.isBusy) held = [...held, event].slice(0, MAX_HELD);
      return desk.isBusy;
    },
  });
  desk.whenFree(() => {
    while (held.length > 0 && !desk.isBusy) {
      const [next, ...rest] = held;
      held = rest;
      if (next && !typed(next.key)) press(next);
    }
  });
}

/** What was typed ahead goes where one is writing by then; false: nowhere. */
function typed(key: string): boolean {
  const field = document.activeElement;
  if (!isTyping(field)) return false;
  if (key === 'Enter') field.form?.requestSubmit();
  else if (key === 'Backspace') field.value = field.value.slice(0, -1);
  else if ([...key].length === 1) field.value += key;
  return true;
}

/** The address holds the present view, so that a reload, or a link that is kept, leads back: `#best[beat=3]&wipe`. */
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

/** The keys of the review page. */
function keysOf(desk: Desk, clock: FrameClock): readonly Key[] {
  const step = (by: number) => (event: KeyboardEvent) => clock.step(event.shiftKey ? by * 10 : by);
  return [
    {
      keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
      shown: ['1', '…', '9'],
      does: 'choose that take',
      press: event => desk.chooseAt(Number(event.key) - 1),
    },
    { keys: ['a'], does: 'approve the one looked at', press: () => desk.approve() },
    { keys: ['r'], does: 'reject it, with a note', press: () => desk.note('reject') },
    { keys: ['y'], does: 'say why, beside what is chosen', press: () => desk.note('why') },
    { keys: ['z'], does: 'take the last decision back', press: () => desk.takeBack() },
    { keys: ['n'], does: 'next undecided', press: () => desk.next(1) },
    { keys: ['p'], does: 'previous undecided', press: () => desk.next(-1) },
    { keys: ['Tab'], does: 'look at another take' },
    {
      keys: [' '],
      shown: ['Space'],
      does: 'play, pause',
      press: event => (isOnButton(event) ? false : clock.toggle()),
    },
    { keys: ['ArrowLeft'], shown: ['←'], does: 'one frame back; with Shift ten', press: step(-1) },
    { keys: ['ArrowRight'], shown: ['→'], does: 'one frame on; with Shift ten', press: step(1) },
    { keys: ['w'], does: 'wipe, or side by side', press: () => desk.show(desk.view === 'wipe' ? 'side' : 'wipe') },
    { keys: ['x'], does: 'swap A and B', press: () => desk.swap() },
    { keys: ['s'], does: 'sound of the one looked at', press: () => desk.sound() },
    { keys: ['?'], does: 'these keys', press: showKeys },
  ];
}

/** A button has its own use for it; a picture is looked at, and leaves it to the clock. */
function isOnButton({ target }: KeyboardEvent): boolean {
  const button = target instanceof Element ? target.closest('button') : null;
  return button !== null && !button.classList.contains('frame');
}
