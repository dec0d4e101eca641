/** What the screen of a run shows at one moment, as text: Ink lays it out, without a terminal. */
import { renderToString } from 'ink';
import type { RunView as Run } from '../../src/records/views/run-view.ts';
import { PaperContext } from '../../src/show/terminal/components/lines.tsx';
import { LiveView } from '../../src/show/terminal/components/run-view.tsx';
import { painted } from '../../src/show/terminal/line.ts';
import type { Size } from '../../src/show/terminal/live-layout.ts';
import { pastLines } from '../../src/show/terminal/rows.ts';

export type Beside = Omit<Parameters<typeof LiveView>[0], 'run' | 'now' | 'size'>;

export interface Drawn {
  /** The scroll-back. */
  readonly past: readonly string[];
  /** What is drawn in place below it; none once the run is over. */
  readonly live: readonly string[];
}

export const drawn = (run: Run, now: number, size: Size, beside: Beside = {}): Drawn => ({
  past: pastLines(run, 0, size.columns, {}).map(line => painted(line, false)),
  live: liveRows(run, now, size, beside),
});

function liveRows(run: Run, now: number, size: Size, beside: Beside): readonly string[] {
  if (run.startedAt === 0 || run.finished !== null) return [];
  const tree = (
    <PaperContext value={{ columns: size.columns, color: false }}>
      <LiveView {...{ run, now, size }} {...beside} />
    </PaperContext>
  );
  return renderToString(tree, { columns: size.columns })
    .split('\n')
    .map(row => row.trimEnd());
}
