/** What the parts of the page are made with: what each may be given, a line that a pointer draws along, and a key beside what it does. */
import type { ComponentChildren, TargetedPointerEvent } from 'preact';
import type { FrameClock } from '../../parts/in-step.ts';
import type { ReviewOption, ReviewQuestion } from '../review-state.ts';
import type { Desk } from './desk.ts';

interface AllProps {
  readonly desk: Desk;
  readonly clock: FrameClock;
  readonly question: ReviewQuestion;
  readonly option: ReviewOption;
  readonly media: NonNullable<ReviewOption['media']>;
  /** Of the option, as it is called on the page. */
  readonly name: string;
  /** It has a player; it is the one looked at; its sound is on. */
  readonly isPlayed: boolean;
  readonly isLooked: boolean;
  readonly hasSound: boolean;
}

/** Of all that a part may be given, what this one is. */
export type Props<Name extends keyof AllProps> = Readonly<Pick<AllProps, Name>>;

/** Attributes of an element along which a pressed pointer draws. @param put is given the share of its width, from the left. */
export function drawnAlong(put: (share: number) => void) {
  const draw = ({ currentTarget, clientX }: TargetedPointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    put((clientX - left) / width);
  };
  return {
    onPointerDown: (event: TargetedPointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      draw(event);
    },
    onPointerMove: (event: TargetedPointerEvent<HTMLElement>) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) draw(event);
    },
  };
}

/** A screen reader reads the keys from their list: a button has its words. */
const SILENT = { 'aria-hidden': true } as const;

export const Kbd = ({ children }: { readonly children: ComponentChildren }) => <kbd {...SILENT}>{children}</kbd>;
