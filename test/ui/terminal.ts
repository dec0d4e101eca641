/** A terminal in memory: gives what a person would see, and whether the cursor is there. */
import xterm from '@xterm/headless';

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
