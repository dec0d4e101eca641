/** The keys of the review page. */
import { type Key, showKeys } from '../../parts/keyboard.ts';
import type { Desk } from './desk.ts';
import type { FrameClock } from './frame-clock.ts';

export function keysOf(desk: Desk, clock: FrameClock): readonly Key[] {
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
