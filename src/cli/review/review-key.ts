/** The key `r` of a run's screen. Nothing of the page is loaded before it is pressed. */

import { platform } from 'node:os';
import type { Review } from '../../app/review/film-review.ts';

/**
 * What the key of a run's screen does: the page is begun with the first, and shown with each. Gives what came of it, as a sentence; where
 * no browser can be seen from here, the link.
 */
export function reviewKey(begin: () => Promise<Review>): {
  readonly press: () => Promise<string>;
  readonly close: () => Promise<void>;
} {
  let begun: Promise<Review> | undefined;
  return {
    press: async () => {
      begun ??= begin();
      const review = await begun.catch(error => (error instanceof Error ? error : new Error(String(error))));
      if (review instanceof Error) {
        begun = undefined;
        return `the review page cannot be opened: ${review.message}`;
      }
      if (!hasDesktop(process.env)) return review.url;
      return (await review.show(process.env)) ?? 'the review page is open in your browser';
    },
    close: async () => {
      const review = await begun?.catch(() => undefined);
      await review?.close();
    },
  };
}

export function hasDesktop(environment: Readonly<Record<string, string | undefined>>): boolean {
  if ('CI' in environment || environment.SSH_CONNECTION !== undefined || environment.SSH_TTY !== undefined)
    return false;
  if (platform() === 'darwin' || platform() === 'win32') return true;
  return Boolean(environment.DISPLAY) || Boolean(environment.WAYLAND_DISPLAY);
}
