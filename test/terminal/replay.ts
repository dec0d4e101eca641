/** Tells a recording on the real screen: `replay <recording> [live]`. At once, time moved by hand, unless it is asked to be live. */

import { systemClock } from '../../src/machine/time/clock.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { startScreen } from '../../src/show/terminal/screen.tsx';
import { FakeClock } from '../support/fake-clock.ts';
import * as recordings from '../text/recordings.ts';
import { terminalOf } from './terminal.ts';

const [name = 'teaser', how] = process.argv.slice(2);
const recording = (recordings as unknown as Readonly<Record<string, readonly RecordedEvent[] | undefined>>)[name];
if (recording === undefined) throw new Error(`no recording is called ${name}; look into recordings.ts`);

const color = process.env.NO_COLOR === undefined || process.env.NO_COLOR === '';
if (how === 'live') await live(recording);
else await byHand(recording);

async function live(events: readonly RecordedEvent[]): Promise<void> {
  const screen = startScreen({ terminal: terminalOf(process.stdout), clock: systemClock, color });
  const shift = Date.now() - recordings.START;
  for (const event of events) {
    await systemClock.sleep(Math.max(0, event.at + shift - Date.now()));
    screen.report({ ...event, at: event.at + shift });
  }
  await screen.close();
}

async function byHand(events: readonly RecordedEvent[]): Promise<void> {
  const clock = new FakeClock(recordings.START);
  const screen = startScreen({ terminal: terminalOf(process.stdout), clock, color });
  for (const event of events) {
    await clock.advance(event.at - clock.now());
    screen.report(event);
  }
  await screen.close();
}
