/** What a command writes, to a reader that is slow, goes away, or was never there. */
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { type Break, Outlet, type Spill } from '../../src/cli/terminal/outlet.ts';
import { openSpillFile } from '../../src/machine/files/spill-file.ts';
import { temporaryFolder } from '../support/temp.ts';

/** A reader that takes a piece when the test says so. */
class Reader extends Writable {
  taken = '';
  readonly #waiting: { bytes: Buffer; done: (error?: Error | null) => void }[] = [];

  constructor() {
    super({ emitClose: false, autoDestroy: false });
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#waiting.push({ bytes, done });
  }

  async takeOne(): Promise<boolean> {
    const next = this.#waiting.shift();
    if (next === undefined) return false;
    this.taken += next.bytes.toString();
    next.done();
    await new Promise(setImmediate);
    return true;
  }

  async takeAll(): Promise<void> {
    while (await this.takeOne());
  }

  async fail(code: string): Promise<void> {
    this.#waiting.shift()?.done(Object.assign(new Error(code), { code }));
    await new Promise(setImmediate);
  }
}

/** Bytes that wait, counted. */
function counted(folder: string): {
  open: () => Spill;
  most: () => number;
  opened: () => number;
  closed: () => number;
} {
  let [waiting, most, opened, closed] = [0, 0, 0, 0];
  return {
    open: () => {
      opened += 1;
      const file = openSpillFile(folder);
      return {
        append: bytes => {
          waiting += bytes.length;
          most = Math.max(most, waiting);
          file.append(bytes);
        },
        take: size => {
          const bytes = file.take(size);
          waiting -= bytes.length;
          return bytes;
        },
        close: () => {
          closed += 1;
          file.close();
        },
      };
    },
    most: () => most,
    opened: () => opened,
    closed: () => closed,
  };
}

const NEVER = (): Spill => {
  throw new Error('nothing had to wait');
};

test('a slow reader gets every line in its order, and memory holds no more than a piece of it', async () => {
  const reader = new Reader();
  const spill = counted(await temporaryFolder());
  const outlet = new Outlet(reader, spill.open);
  let said = '';
  for (let n = 0; n < 10_000; n += 1) {
    const line = `{"n":${n},"text":"${'x'.repeat(1000)}"}\n`;
    said += line;
    outlet.write(line);
    expect(reader.writableLength).toBeLessThan(1.1 * 2 ** 20);
    // Now and then something is taken while more is written.
    if (n % 7 === 0) await reader.takeOne();
  }
  expect(spill.most()).toBeGreaterThan(5 * 2 ** 20);
  await reader.takeAll();
  expect(reader.taken.length).toBe(said.length);
  expect(reader.taken === said).toBe(true);
  // When it has caught up, nothing waits in a file any more, and the next line goes straight on.
  expect([spill.opened(), spill.closed()]).toEqual([1, 1]);
  outlet.write('last\n');
  await reader.takeAll();
  expect(reader.taken.endsWith('}\nlast\n')).toBe(true);
});

test('what somebody else writes to the stream is not overtaken', async () => {
  const reader = new Reader();
  const outlet = new Outlet(reader, NEVER);
  outlet.write('a\n');
  outlet.write('b\n');
  reader.write('> ');
  outlet.write('c\n');
  await reader.takeAll();
  expect(reader.taken).toBe('a\nb\n> c\n');
});

test('a stream that somebody else has filled is waited for all the same', async () => {
  const reader = new Reader();
  const spill = counted(await temporaryFolder());
  const outlet = new Outlet(reader, spill.open);
  reader.write('x'.repeat(2 ** 21));
  outlet.write('after\n');
  await reader.takeAll();
  expect(reader.taken.endsWith('xafter\n')).toBe(true);
});

test('a pipe that nobody reads says so once, and takes the rest in silence', async () => {
  const reader = new Reader();
  const outlet = new Outlet(reader, NEVER);
  const breaks: Break[] = [];
  outlet.whenBroken(broken => breaks.push(broken));
  const off = outlet.whenBroken(() => breaks.push({ code: 'nobody listens here', gone: false }));
  off();
  for (const line of ['a\n', 'b\n', 'c\n']) outlet.write(line);
  await reader.fail('EPIPE');
  await reader.fail('EPIPE');
  outlet.write('d\n');
  expect(breaks).toEqual([{ code: 'EPIPE', gone: true }]);
  await outlet.drained();
  expect(reader.taken).toBe('');
  // Who asks later is told, too.
  await new Promise<void>(told => outlet.whenBroken(() => told()));
});

const breakOf = (outlet: Outlet): Promise<Break> => new Promise(tell => void outlet.whenBroken(tell));

test.each([
  ['EPIPE', false, true],
  ['ENXIO', false, true],
  ['ERR_STREAM_DESTROYED', false, true],
  ['EIO', true, true],
  ['EIO', false, false],
  ['ENOSPC', false, false],
])('%s, on a terminal: %s, means that nobody is there: %s', async (code, isTTY, gone) => {
  const reader = Object.assign(new Reader(), { isTTY });
  const outlet = new Outlet(reader, NEVER);
  outlet.write('a\n');
  await reader.fail(code);
  expect(await breakOf(outlet)).toEqual({ code, gone });
});

test('a disk with no room for what waits breaks the stream, not the command', async () => {
  const reader = new Reader();
  const outlet = new Outlet(reader, () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  outlet.write('x'.repeat(2 ** 21));
  outlet.write('more\n');
  expect(await breakOf(outlet)).toEqual({ code: 'ENOSPC', gone: false });
});
