/** Play, single frames, and a line to draw along. It follows the clock by itself: a frame that passes redraws nothing else. */
import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Desk } from './desk.ts';
import type { FrameClock } from './frame-clock.ts';
import { Kbd } from './kbd.tsx';

/** Frames for which ticks are drawn one by one. */
const MOST_TICKS = 120;

export function Transport({ clock, desk }: { readonly clock: FrameClock; readonly desk: Desk }) {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => clock.follow(() => drawAgain(null)), [clock]);
  const line = useRef<HTMLDivElement>(null);
  const { frame, frames, fps, isPlaying } = clock;
  const along = frames > 1 ? frame / (frames - 1) : 0;
  const draw = (event: PointerEvent) => {
    const { left, width } = line.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    if (clock.isPlaying) clock.pause();
    clock.seek(((event.clientX - left) / width) * (frames - 1));
  };
  return (
    <div class="transport">
      <button class="act small" type="button" aria-label="One frame back" onClick={() => clock.step(-1)}>
        ←
      </button>
      <button
        class="act small play"
        type="button"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={() => clock.toggle()}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d={isPlaying ? 'M2 1h3v10H2zM7 1h3v10H7z' : 'M2 1l9 5-9 5z'} />
        </svg>
      </button>
      <button class="act small" type="button" aria-label="One frame on" onClick={() => clock.step(1)}>
        →
      </button>
      <button class="act small sound" type="button" aria-pressed={desk.hasSound} onClick={() => desk.sound()}>
        Sound <Kbd>s</Kbd>
      </button>
      <div
        class="scrub"
        ref={line}
        role="slider"
        tabIndex={0}
        aria-label="Frame"
        aria-valuemin={1}
        aria-valuemax={frames}
        aria-valuenow={frame + 1}
        aria-valuetext={`frame ${frame + 1} of ${frames}`}
        onPointerDown={event => {
          line.current?.setPointerCapture(event.pointerId);
          draw(event);
        }}
        onPointerMove={event => {
          if (line.current?.hasPointerCapture(event.pointerId)) draw(event);
        }}
      >
        <div class="ticks" style={{ '--ticks': Math.max(1, Math.min(MOST_TICKS, frames - 1)) }} />
        <i style={{ transform: `scaleX(${along})` }} />
        <b style={{ left: `${along * 100}%` }} />
      </div>
      <p class="code num">
        {timeCode(frame, fps)}{' '}
        <span>
          {frame + 1}/{frames}
        </span>
      </p>
    </div>
  );
}

/** `0:01:06`: minutes, seconds, frames. */
function timeCode(frame: number, fps: number): string {
  const each = Math.max(1, Math.round(fps));
  const seconds = Math.floor(frame / each);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}:${two(frame % each)}`;
}
