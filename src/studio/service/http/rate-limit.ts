/** How fast requests may come, when the studio is set to limit them: a bucket that fills with time (token bucket). */
import type { Clock } from '../../../machine/time/clock.ts';
import { HttpRefusal } from '../../shared/http-refusal.ts';
import type { Rate } from '../options.ts';

/** @throws {HttpRefusal} from the function it gives: 429 with whole seconds in `Retry-After` */
export function rateLimiter({ perSecond }: Rate, clock: Clock): () => void {
  const most = Math.max(1, perSecond);
  let left = most;
  let filled = clock.now();
  return () => {
    const now = clock.now();
    left = Math.min(most, left + ((now - filled) / 1000) * perSecond);
    filled = now;
    if (left >= 1) {
      left -= 1;
      return;
    }
    const seconds = Math.max(1, Math.ceil((1 - left) / perSecond));
    throw new HttpRefusal(429, 'rate_limited', `too many requests: try again in ${seconds} s`, {
      headers: { 'retry-after': String(seconds) },
    });
  };
}
