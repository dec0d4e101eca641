/**
 * Loaded into a worker before anything else (`NODE_OPTIONS=--import=…`): what it connects to by a port goes to another one instead, where a
 * `Line` carries it, and its wall clock is as far off as a file says. Addresses stay as they are, so all workers are the same to the service.
 */
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';

/** Milliseconds between two looks at the file. */
const LOOK = 50;

const { CHAOS_DETOUR = '{}', CHAOS_CLOCK } = process.env;
const detours = new Map(Object.entries(JSON.parse(CHAOS_DETOUR) as { [port: string]: number }));

const connect = Socket.prototype.connect as (this: Socket, ...given: unknown[]) => Socket;
Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
  const [first] = given;
  const options = Array.isArray(first) ? first[0] : first;
  const isObject = typeof options === 'object' && options !== null;
  const to = detours.get(String(isObject ? (options as { port?: unknown }).port : options));
  if (to === undefined) return connect.apply(this, given);
  if (!isObject) return connect.apply(this, [to, ...given.slice(1)]);
  Object.assign(options, { port: to });
  return connect.apply(this, given);
} as Socket['connect'];

if (CHAOS_CLOCK !== undefined) {
  const RealDate = Date;
  const real = Date.now.bind(Date);
  let ahead = 0;
  globalThis.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length > 0 ? given : [real() + ahead]) as [number]));
    }
    static override now(): number {
      return real() + ahead;
    }
  } as DateConstructor;
  const look = () => {
    try {
      ahead = Number(readFileSync(CHAOS_CLOCK, 'utf8'));
    } catch {
      // It is not written yet.
    }
  };
  setInterval(look, LOOK).unref();
}
