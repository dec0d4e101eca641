/** The terminal's keys, size and suspension, as the components use them. */
import { type DOMElement, type TerminalSuspension, useApp } from 'ink';
import { useEffect, useRef } from 'react';
import type { InstanceKey } from '../../../model/run/key.ts';
import { cellWidth } from '../../../model/text/cells.ts';
import { phase } from '../../../records/views/instance-state.ts';
import type { RunView } from '../../../records/views/run-view.ts';
import type { Keyboard } from '../prompts/prompter.ts';
import type { ScreenTerminal, TerminalSignals } from '../screen-options.ts';
import type { TerminalStream } from '../terminal-stream.ts';

/**
 * Listens to the keyboard while `isActive`. Not Ink's `useInput`: our keyboard reads bytes already, sends Ctrl-C as a signal, and knows the
 * terminal's own answers from keys. Read once more by Ink, Esc would be held for 20 ms.
 */
export function useKeys(
  keyboard: Keyboard | undefined,
  isActive: boolean,
  pressed: (keys: readonly string[]) => void,
): void {
  useEffect(() => (isActive ? keyboard?.listen(pressed) : undefined), [keyboard, isActive, pressed]);
}

/** Shorter runs end without a bell: the person is still there. Milliseconds. */
const LONG_RUN = 10_000;

/** The window's title and progress, as the run goes on; the bell where a person is asked, and at the end of a long run. */
export function useSignals(
  signals: TerminalSignals | undefined,
  run: RunView,
  question: InstanceKey | undefined,
): void {
  const all = [...run.instances.values()];
  const over = all.filter(({ state }) => phase(state) === 'over').length;
  const percent = all.length === 0 ? 0 : Math.floor((100 * over) / all.length);
  const hasFailed = all.some(({ state }) => state.is === 'failed');
  const state = question !== undefined ? 'waiting' : hasFailed ? 'failed' : 'running';
  const isUnderWay = run.startedAt > 0 && run.finished === null;
  const title = question === undefined ? `${run.name} ${over}/${all.length}` : `${run.name}: waits for you`;
  const isLong = useRef(false);
  isLong.current = run.lastEventAt - run.startedAt >= LONG_RUN;
  useEffect(() => {
    if (isUnderWay) signals?.title(title);
  }, [signals, isUnderWay, title]);
  useEffect(() => {
    if (isUnderWay) signals?.progress(state, percent / 100);
  }, [signals, isUnderWay, state, percent]);
  useEffect(() => {
    if (question !== undefined) signals?.bell();
  }, [signals, question]);
  useEffect(() => {
    if (isUnderWay) return () => signals?.reset();
    if (isLong.current) signals?.bell();
    return undefined;
  }, [signals, isUnderWay]);
}

/** Ctrl-Z erases the live part before the process stops; `fg` draws it again. */
export function useSuspension(terminal: ScreenTerminal, output: TerminalStream): void {
  const { suspendTerminal } = useApp();
  useEffect(() => {
    let suspended: Promise<TerminalSuspension | undefined> | undefined;
    const suspending = () => {
      // Ink refuses while the frame of the last suspension is still coming back: nothing is left to take away then.
      suspended ??= suspendTerminal().catch(() => undefined);
    };
    return terminal.onSuspend({
      suspending,
      resumed: () => {
        // After SIGSTOP, which no process sees coming, others have written below the live part: it stays where it is.
        output.muted(suspending);
        void suspended?.then(suspension => suspension?.resume());
        suspended = undefined;
      },
    });
  }, [terminal, output, suspendTerminal]);
}

type Node = DOMElement['childNodes'][number];

export function rowWidths(root: DOMElement | null): readonly number[] {
  const rows: number[] = [];
  const visit = (node: Node, left: number, top: number): void => {
    if (node.nodeName === '#text' || !node.yogaNode) return;
    const [x, y] = [left + node.yogaNode.getComputedLeft(), top + node.yogaNode.getComputedTop()];
    if (node.nodeName === 'ink-text') {
      const most = node.yogaNode.getComputedWidth();
      for (const [at, line] of textOf(node).split('\n').entries())
        rows[y + at] = Math.max(rows[y + at] ?? 0, x + Math.min(most, cellWidth(line.replace(SGR, ''))));
    } else for (const child of node.childNodes) visit(child, x, y);
  };
  if (root) visit(root, 0, 0);
  return Array.from(rows, width => width ?? 0);
}

const SGR = /\x1b\[[\d;]*m/g;
const textOf = (node: Node): string =>
  node.nodeName === '#text' ? node.nodeValue : (node as DOMElement).childNodes.map(textOf).join('');
