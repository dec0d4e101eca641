/** A terminal in memory: gives what a person would see, and whether the cursor is there. */
import xterm from '@xterm/headless';
import type { ScreenTerminal } from '../../src/show/terminal/screen-options.ts';

export type Terminal = InstanceType<typeof xterm.Terminal>;

export const openTerminal = (columns: number, rows: number): Terminal =>
  new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true, convertEol: false });

export const write = (terminal: Terminal, bytes: string | Uint8Array): Promise<void> =>
  new Promise(resolve => terminal.write(bytes, resolve));

/** Every line, scroll-back included, without the blanks at its end and without empty lines at the bottom. */
export function buffer(terminal: Terminal): string {
  const lines = Array.from(
    { length: terminal.buffer.active.length },
    (_, y) => terminal.buffer.active.getLine(y)?.translateToString(true) ?? '',
  );
  return lines.join('\n').trimEnd();
}

/** What a screen draws on: these bytes go to a stream of a test's. */
export function terminalOf(
  stream: NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number },
  reflows = true,
): ScreenTerminal {
  return {
    get columns() {
      return stream.columns ?? 80;
    },
    get rows() {
      return stream.rows ?? 24;
    },
    reflows,
    write: text => void stream.write(text),
    onResize(changed) {
      stream.on('resize', changed);
      return () => void stream.off('resize', changed);
    },
    onSuspend: () => () => {},
  };
}

/** A keyboard whose keys a test presses. */
export function keyboardOf() {
  let heard: (keys: readonly string[]) => void = () => {};
  const keyboard = {
    listen: (pressed: typeof heard) => {
      heard = pressed;
      return () => {};
    },
  };
  return { keyboard, press: (keys: readonly string[]) => heard(keys) };
}
