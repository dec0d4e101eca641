/** Two takes over one another, divided by a line that is drawn with a pointer or moved with the arrow keys. */

import { useState } from 'preact/hooks';
import type { FrameClock } from '../../../parts/in-step.ts';
import type { ReviewOption } from '../../review-state.ts';
import type { Desk } from '../desk.ts';
import { drawnAlong, type Props } from '../kbd.tsx';
import { optionName } from '../words.ts';
import { Content, ratioOf } from './take.tsx';

interface WipeProps {
  readonly desk: Desk;
  readonly clock: FrameClock;
  readonly pair: readonly [ReviewOption, ReviewOption];
}

/** Of the width, for one press of a key. */
const KEY_STEP = 0.02;

export function Wipe({ desk, clock, pair: [a, b] }: WipeProps) {
  const [split, setSplit] = useState(desk.split);
  const put = (at: number) => {
    desk.split = Math.min(1, Math.max(0, at));
    setSplit(desk.split);
  };
  const percent = Math.round(split * 100);
  const question = desk.here;
  const nameOf = (one: ReviewOption) => (question ? optionName(one, question) : one.key);
  return (
    <>
      <div class="wipe" style={{ '--ratio': ratioOf(a.media?.facts) }} {...drawnAlong(put)}>
        <Layer key={`b ${b.id}`} clock={clock} option={b} hasSound={false} />
        <div class="over" style={{ clipPath: `inset(0 ${(1 - split) * 100}% 0 0)` }}>
          <Layer key={`a ${a.id}`} clock={clock} option={a} hasSound={desk.hasSound} />
        </div>
        <div
          class="grip"
          role="slider"
          tabIndex={0}
          aria-label="Wipe"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          aria-valuetext={`${percent} % ${nameOf(a)}`}
          style={{ left: `${split * 100}%` }}
          onKeyDown={event => {
            const by = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
            if (by === undefined) return;
            put(split + by);
            event.preventDefault();
            event.stopPropagation();
          }}
        />
      </div>
      <div class="pair note flow">
        <Which desk={desk} side={0} taken={a} other={b} />
        <Which desk={desk} side={1} taken={b} other={a} />
      </div>
    </>
  );
}

const Layer = ({ clock, option: { media }, hasSound }: Props<'clock' | 'option' | 'hasSound'>) =>
  media && <Content key={media.sha256} {...{ clock, media, hasSound }} isPlayed />;

interface WhichProps {
  readonly desk: Desk;
  readonly side: 0 | 1;
  readonly taken: ReviewOption;
  readonly other: ReviewOption;
}

function Which({ desk, side, taken, other }: WhichProps) {
  const question = desk.here;
  if (!question) return null;
  const name = side === 0 ? 'Take A' : 'Take B';
  return (
    <fieldset class="mid flow" aria-label={name}>
      <span>{name}</span>
      {question.options.map(one => (
        <button
          type="button"
          key={one.id}
          disabled={!one.isReady || one.media === null || !one.isHere || one.id === other.id}
          aria-pressed={one.id === taken.id}
          aria-label={`${name} is ${optionName(one, question)}`}
          onClick={() => desk.wipeWith(side, one.id)}
        >
          {optionName(one, question)}
        </button>
      ))}
    </fieldset>
  );
}
