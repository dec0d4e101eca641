/**
 * `screen-alone <screen|plain> <instances> <seconds>`: shows a run of short instances, eight at once, in real time, on a terminal that discards
 * what is written. Prints what it took as JSON.
 */

import { systemClock } from '../../src/machine/time/clock.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { plainReporter } from '../../src/show/reporters/plain.ts';
import {
  accepted,
  type Beat,
  generated,
  intended,
  media,
  planned,
  progress,
  START,
  stamped,
  started,
  succeeded,
} from '../text/recordings.ts';

const [how = 'screen', many = '1000', long = '30'] = process.argv.slice(2);
const seconds = Number(long);
const events = runOf(Number(many));
let bytes = 0;
const terminal = {
  ...{ columns: 120, rows: 40, reflows: true },
  write(text: string) {
    bytes += Buffer.byteLength(text);
  },
  onResize: () => () => {},
  onSuspend: () => () => {},
};
const keyboard = { listen: () => () => {} };
const person = { keyboard, who: async () => 'Ada', fileOf: () => undefined, open: async () => undefined };
const options = { terminal, clock: systemClock, color: true, person };
const began = performance.now();
const before = process.cpuUsage();
const reporter =
  how === 'screen'
    ? (await import('../../src/show/terminal/screen.tsx')).startScreen(options)
    : plainReporter(line => terminal.write(`${line}\n`), { clock: systemClock });
const imported = process.cpuUsage(before);
const shift = Date.now() - START;
for (const event of events) {
  const wait = event.at + shift - Date.now();
  if (wait > 1) await systemClock.sleep(wait);
  reporter.report({ ...event, at: event.at + shift });
}
const live = bytes;
await reporter.close?.();
const { user, system } = process.cpuUsage(before);
const wallMs = performance.now() - began;
console.log(
  JSON.stringify({
    cpuMs: (user + system) / 1_000,
    importMs: (imported.user + imported.system) / 1_000,
    wallMs,
    peakMb: process.resourceUsage().maxRSS / 1_024,
    bytes: live,
  }),
);

/** Eight at once, one after the other, until the time is over. */
function runOf(instances: number): readonly RecordedEvent[] {
  const names = Array.from({ length: instances }, (_, n) => `shot[beat=${n + 1}]`);
  const each = (seconds * 8) / instances;
  const beats = names.flatMap((name, n): readonly Beat[] => {
    const from = Math.floor(n / 8) * each;
    const at = (part: number) => from + each * part;
    return [
      [at(0), intended(name, 'V-T2V-A', 0.5)],
      [at(0.05), accepted(name)],
      [at(0.1), progress(name, 'queued', 1, null)],
      ...[0.2, 0.4, 0.6, 0.8].map((part): Beat => [at(part), progress(name, 'processing', null, part)]),
      [at(0.9), generated(name, 0.5)],
      [at(1), succeeded(name, media(name, 0.5, { width: 1280, height: 720, duration: 5 }, 2_200_000))],
    ];
  });
  const plan = started(
    'many',
    names.map(name => planned(name, 'V-T2V-A', [], 0.5)),
    { service: 'hosted', usd: instances / 2 },
  );
  return stamped([[0, plan], ...beats.toSorted((a, b) => a[0] - b[0])]);
}
