/** What can be asked of the result that a video is. */
import { derivedAddress, exact, isPastEnd, timeIn } from '../../domain/derived-media.ts';
import { messages } from '../messages/index.ts';
import { FRAME } from '../types.ts';
import { type CelMap, type FromJson, isMap, valueAt } from './cel-value.ts';
import { form, type PlainFunction, Refused } from './function.ts';

export const VIDEO_FUNCTIONS: readonly PlainFunction[] = [
  {
    is: 'function',
    name: 'frame_at',
    style: 'method',
    says: "The frame that a video shows at a time, as the address of an image: `'2.5s'`, `'150ms'`, a number of seconds, or `'-1s'` for one second before its end. It is taken on this machine, and never paid for.",
    example: { code: "steps.shot.frame_at('2.5s')", answer: 'derived:frame_at/2.5/ab' },
    forms: [
      form(['video', 'text'], ['video', 'time'], FRAME, (_, video, time) => {
        const seconds = timeIn(time);
        return seconds === undefined ? new Refused(messages.badFrameTime(time)) : frameOf(video, seconds);
      }),
      form(['video', 'number'], ['video', 'seconds'], FRAME, (_, video, seconds) => frameOf(video, Number(seconds))),
    ],
    refuses: ([, time]) =>
      typeof time === 'string' && timeIn(time) === undefined ? messages.badFrameTime(time) : undefined,
  },
];

function frameOf(video: CelMap | FromJson, seconds: number): string | Refused {
  const media = valueAt(video, 'media');
  const of = valueAt(video, 'sha256');
  const fact = (name: string) => (media !== undefined && isMap(media) ? valueAt(media, name) : undefined);
  const kind = fact('kind');
  if (typeof of !== 'string' || kind !== 'video')
    return new Refused(messages.noFrames(typeof kind === 'string' ? kind : undefined));
  if (!Number.isFinite(seconds)) return new Refused(messages.badFrameTime(String(seconds)));
  const duration = Number(fact('duration') ?? Number.NaN);
  const at = exact(seconds);
  if (isPastEnd(at, { duration })) return new Refused(messages.frameBeyondEnd(at, duration));
  return derivedAddress({ of, what: { is: 'frame_at', at } });
}
