/** Shows a recording on the real screen: `replay <recording>`. At once: time is moved by hand. */
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { startScreen } from '../../src/show/terminal/screen.tsx';
import { FakeClock } from '../support/fake-clock.ts';
import * as recordings from '../text/recordings.ts';
import { terminalOf } from './terminal.ts';

const [name = 'teaser'] = process.argv.slice(2);
const recording = (recordings as unknown as Readonly<Record<string, readonly RecordedEvent[] | undefined>>)[name];
if (recording === undefined) throw new Error(`no recording is called ${name}; look into recordings.ts`);

const color = process.env.NO_COLOR === undefined || process.env.NO_COLOR === '';
const clock = new FakeClock(recordings.START);
const screen = startScreen({ terminal: terminalOf(process.stdout), clock, color });
for (const event of recording) {
  await clock.advance(event.at - clock.now());
  screen.report(event);
}
await screen.close();
