/**
 * The log of one instance on the screen. Its own output goes to standard output: all that a command wrote, a chat's text, or what the
 * service reported of a generation. Events of a command or a chat go to standard error.
 */
import { StringDecoder } from 'node:string_decoder';
import { type InstanceLog, readFrom } from '../../app/reports/instance-log.ts';
import type { RecordedEvent } from '../../model/run/event.ts';
import { asTyped, cleanText } from '../../model/text/clean.ts';
import { nearest } from '../../model/text/nearest.ts';
import { storyOf } from '../../records/views/instance-story.ts';
import { InstanceLogText } from '../../show/text/plain-lines.ts';
import { print, say } from '../outlets.ts';

export class LogPrinter {
  readonly #text: InstanceLogText;
  /** Of each file: what was read, and half a character that its rest completes. */
  readonly #read = new Map<string, { at: number; readonly decoder: StringDecoder }>();
  #isTextPrinted = false;

  constructor({ run }: InstanceLog) {
    this.#text = new InstanceLogText(run.started);
  }

  /** What there is more than before. */
  print({ events, files }: InstanceLog): void {
    const hasOwn = files.length > 0 || textIn(events) !== undefined;
    for (const { at, text } of this.#text.lines(events)) {
      const line = `${clock(at)}  ${text}`;
      if (hasOwn) say(line);
      else print(`${line}\n`);
    }
    for (const path of files) this.#printFile(path);
    const text = textIn(events);
    if (text === undefined || this.#isTextPrinted) return;
    this.#isTextPrinted = true;
    print(text.endsWith('\n') ? text : `${text}\n`);
  }

  #printFile(path: string): void {
    const read = this.#read.get(path) ?? { at: 0, decoder: new StringDecoder('utf8') };
    this.#read.set(path, read);
    for (let piece = readFrom(path, read.at); piece.length > 0; piece = readFrom(path, read.at)) {
      read.at += piece.length;
      print(read.decoder.write(piece));
    }
  }
}

/** Everything in one document: events as `run --ui json` writes them. */
export const logJson = ({ key, run, events, files, isOpen }: InstanceLog) => ({
  version: 1,
  key,
  run: run.run,
  running: isOpen,
  events,
  logs: files.map(path => wholeOf(path)),
});

function wholeOf(path: string): string {
  const pieces: Buffer[] = [];
  let at = 0;
  for (let piece = readFrom(path, at); piece.length > 0; piece = readFrom(path, at)) {
    pieces.push(piece);
    at += piece.length;
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** What a chat model wrote. */
function textIn(events: readonly RecordedEvent[]): string | undefined {
  const { result } = storyOf(events);
  return result?.is === 'text' ? result.text : undefined;
}

/** `14:03:02`, in the time of this place. */
function clock(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(part => String(part).padStart(2, '0')).join(':');
}

/** Instances that are named. */
const NAMED = 5;

export const logMessages = {
  which: (): string => "which instance of which file? shotlist logs FILE 'shot[beat=3]'",
  followsNoJson: (): string => '--follow prints it as it comes, and --json is one document: leave one of them out',
  unknown: (text: string, known: readonly string[]): string => {
    const near = nearest(text, known);
    const instead = near ? `; did you mean ${asTyped(near)}?` : '';
    return `no run of this film knows ${cleanText(text)}${instead}`;
  },
  several: (text: string, keys: readonly string[]): string => {
    const more = keys.length > NAMED ? ` and ${keys.length - NAMED} more` : '';
    return `${cleanText(text)} may be ${keys.slice(0, NAMED).map(asTyped).join(', ')}${more}; name one of them`;
  },
  notBegun: (key: string): string =>
    `nothing was run or sent for ${cleanText(key)} so far: there is nothing to show of it`,
};
