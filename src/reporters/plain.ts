/**
 * A run as plain lines, where the output is no terminal or under CI: one line for each thing that changed, with the time since the
 * start, never rewritten. The last block is what the screen ends with, in the same words.
 */
import { padEnd, padStart } from '../domain/cells.ts';
import type { Reporter, Stamped } from '../domain/event.ts';
import { formatSeconds, formatUsd } from '../domain/format.ts';
import { ended, groupWords, type LastWord, lastWords, opening, sentence } from '../telling/run-text.ts';
import { type EndedInstance, type InstanceTale, type Settled, type Tale, told, untold } from '../telling/run-view.ts';

export interface PlainOptions {
  /** The command that runs this film again, for the last words; made from the file's name when absent. */
  readonly command?: string;
}

/** `write` is given one line at a time, without its line feed. */
export function plainReporter(write: (line: string) => void, { command }: PlainOptions = {}): Reporter {
  const tale = untold();
  let written = 0;
  return {
    report(event: Stamped): void {
      const before = 'key' in event ? (tale.instances.get(event.key)?.standing ?? null) : null;
      const isFirstStream = event.type === 'stream_changed' && event.up && tale.stream === null;
      const isSaid = event.type === 'run_detached' && tale.detached !== null;
      told(tale, event);
      const words = isFirstStream || isSaid ? null : sentence(event, before, tale);
      const over = tale.settled.slice(written);
      written = tale.settled.length;
      for (const entry of over) for (const line of settledLines(tale, entry, command)) write(line);
      if (words === null || event.type === 'succeeded' || event.type === 'failed') return;
      const instance = 'key' in event ? tale.instances.get(event.key) : undefined;
      write(row(tale, event.at, instance?.label ?? '', `${words}${request(event, instance)}`));
    },
    close: () => Promise.resolve(),
  };
}

/** `submitted  V-T2V-A  ~$0.60`: what it asks for and is expected to cost, said where money moves. */
function request(event: Stamped, instance: InstanceTale | undefined): string {
  if (event.type !== 'submit_accepted' || instance === undefined) return '';
  const price = instance.price === null ? '' : `  ~${formatUsd(instance.price)}`;
  return instance.model === '' ? price : `  ${instance.model}${price}`;
}

function settledLines(tale: Tale, entry: Settled, command: string | undefined): readonly string[] {
  switch (entry.is) {
    case 'started':
      return [opening(tale)];
    case 'instance':
      return [row(tale, entry.instance.until ?? tale.heardAt, entry.instance.label, howItEnded(entry.instance))];
    case 'group': {
      const { label, how } = groupWords(entry);
      return [row(tale, entry.instances[0]?.until ?? tale.heardAt, label, how)];
    }
    case 'finished':
      return ending(tale, command);
  }
}

function howItEnded({ standing, since, until, paid }: EndedInstance): string {
  if (standing.is !== 'succeeded') return ended(standing);
  const time = since === null || until === null ? '' : ` in ${formatSeconds((until - since) / 1000)}`;
  const made = ended(standing);
  return `done${time}${made === 'done' ? '' : `: ${made}`}${paid > 0 ? `  ${formatUsd(paid)}` : ''}`;
}

/** `  +12.3s  shot    submitted  V-T2V-A  ~$0.60` */
function row(tale: Tale, at: number, label: string, words: string): string {
  const offset = padStart(`+${formatSeconds((at - tale.startedAt) / 1000)}`, 8);
  return `${offset}  ${padEnd(label, Math.min(40, tale.widest.label))}  ${words}`.trimEnd();
}

function ending(tale: Tale, command: string | undefined): readonly string[] {
  return ['', ...lastWords(tale, command, 'in a line').map(word => INDENT[word.role] + word.text)];
}

const INDENT: Readonly<Record<LastWord['role'], string>> = {
  ...{ verdict: '', film: '  ', failed: '✗ ', detail: '  ', next: '', command: '  ' },
};
