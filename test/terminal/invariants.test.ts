/** What must hold for any run, any order of events, any size of terminal. */
import { expect, test } from 'vitest';
import { cellWidth } from '../../src/model/text/cells.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView, type InstanceView } from '../../src/records/views/run-view.ts';
import { plainReporter } from '../../src/show/reporters/plain.ts';
import { quietReporter } from '../../src/show/reporters/quiet.ts';
import { painted } from '../../src/show/terminal/line.ts';
import { pastLines } from '../../src/show/terminal/rows.ts';
import { hostile } from '../text/recordings.ts';
import { drawn } from './drawn.tsx';
import { randomFrames, randomFrom, randomRun } from './random-frames.ts';

const FRAMES = 800;

test('eight hundred frames, of any run, size, view and question, are never taller than the terminal less one row, and never wider', () => {
  let frames = 0;
  let pictures = 0;
  for (const { live, size, picture, where } of randomFrames(FRAMES)) {
    frames += 1;
    if (live.length > Math.max(1, size.rows - 1)) expect(live.length, where).toBeLessThanOrEqual(size.rows - 1);
    for (const line of live) {
      if (cellWidth(line) > size.columns)
        expect(cellWidth(line), `${where}: ${line}`).toBeLessThanOrEqual(size.columns);
    }
    if (!picture) continue;
    pictures += 1;
    // It ends above the row of the keys, and no word is under it.
    expect(picture.row + picture.rows, where).toBeLessThan(live.length);
    for (const line of live.slice(picture.row, picture.row + picture.rows))
      expect(cellWidth(line), where).toBeLessThan(picture.column);
  }
  expect(frames).toBeGreaterThanOrEqual(FRAMES);
  expect(pictures).toBeGreaterThan(10);
});

test('an instance that is not over is in a row of its own, in the row of its step, or counted in the last row', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = randomFrom(seed);
    const run = emptyRunView();
    for (const event of randomRun(random)) reduce(run, event);
    if (run.finished !== null) continue;
    const rows = 6 + random.below(40);
    const { live: lines } = drawn(run, run.lastEventAt, { columns: 200, rows });
    const hidden = /… (?:(\d+) more under way)?(?:, )?(?:(\d+) more waiting)?$/.exec(
      lines.find(line => line.includes('    … ')) ?? '',
    );
    const rest = Number(hidden?.[1] ?? 0) + Number(hidden?.[2] ?? 0);
    const steps = [...Map.groupBy(run.instances.values(), ({ step }) => step)];
    const openOf = (instances: readonly InstanceView[]) => instances.filter(({ state }) => !OVER.has(state.is)).length;
    let told = rest;
    for (const line of lines.filter(line => /^ {2}[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏›·?] /u.test(line))) {
      const folded = /^(.+?)…? {2,}(\d+)(?: made by [\d ×]+)? {2,}(?:[━─╸]|waits for)/u.exec(line.slice(4));
      const step = steps.find(([name, all]) => folded && name.startsWith(folded[1]!) && `${all.length}` === folded[2]);
      told += step ? openOf(step[1]) : 1;
    }
    expect(told, `seed ${seed}\n${lines.join('\n')}`).toBe(openOf([...run.instances.values()]));
  }
});

test('hostile text never reaches a terminal, whoever tells it', () => {
  const written: string[] = [];
  const reporters = [plainReporter(line => written.push(line)), quietReporter(line => written.push(line))];
  const run = emptyRunView();
  for (const event of hostile) {
    for (const reporter of reporters) reporter.report(event);
    reduce(run, event);
    const { past, live } = drawn(run, event.at, { columns: 80, rows: 24 });
    written.push(...past, ...live);
  }
  expect(written.join('\n')).toContain('red gpj.exe second line');
  expect(written.filter(line => /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(line))).toEqual([]);
});

test('without colour not one escape sequence is written, and with it only those of the palette', () => {
  const run = emptyRunView();
  for (const event of hostile) reduce(run, event);
  const past = pastLines(run, 0, 80, {});
  const colored = past.map(line => painted(line, true)).join('\n');
  expect(new Set(colored.match(/\x1b[^m]*m/g))).toEqual(
    new Set(['\x1b[0m', '\x1b[1m', '\x1b[2m', '\x1b[31m', '\x1b[36m']),
  );
  expect(past.map(line => painted(line, false)).join('\n')).not.toContain('\x1b');
});

const OVER: ReadonlySet<string> = new Set(['succeeded', 'reused', 'skipped', 'left_out', 'blocked', 'failed']);
