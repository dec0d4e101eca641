/** Ink on a terminal of ours. */
import { type Instance, render } from 'ink';
import type { ReactNode } from 'react';
import type { TerminalStream } from './terminal-stream.ts';

/** Draws `tree` at once, and again whenever its state changes. */
export const startInk = (tree: ReactNode, output: TerminalStream): Instance =>
  render(tree, {
    stdout: output as unknown as NodeJS.WriteStream,
    // The caller has decided that this terminal is drawn on; Ink would decide again, and refuse where `CI` is set.
    ...{ interactive: true, exitOnCtrlC: false, patchConsole: false, incrementalRendering: true },
    // No limit of Ink's own: the screens set the pace, and a frame that is due is drawn at once.
    maxFps: 0,
  });
