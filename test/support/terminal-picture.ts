/**
 * A terminal's buffer as a picture: an SVG that needs no font of its own and looks the same wherever it is opened,
 * because every run of text is told where it begins and how wide it is.
 */
import type { Terminal } from '../terminal/terminal.ts';

export interface Picture {
  /** Shown in the window's bar. */
  readonly title: string;
  /** The last so many lines of the buffer; all of them when absent. */
  readonly rows?: number;
}

const CELL = { width: 8.4, height: 20, font: 14 };
const EDGE = { x: 18, top: 52, bottom: 18 };

export function terminalSvg(terminal: Terminal, { title, rows }: Picture): string {
  const lines = linesOf(terminal);
  const shown = rows === undefined ? lines : lines.slice(-rows);
  const width = Math.ceil(terminal.cols * CELL.width + EDGE.x * 2);
  const height = shown.length * CELL.height + EDGE.top + EDGE.bottom;
  const text = shown.flatMap((runs, y) => runs.map(run => drawn(run, y)));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${COLORS.background}" stroke="${COLORS.frame}"/>
${[20, 40, 60].map(x => `<circle cx="${x}" cy="21" r="6" fill="${COLORS.frame}"/>`).join('')}
<g font-family="ui-monospace, 'JetBrains Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${CELL.font}" fill="${COLORS.text}" xml:space="preserve">
<text x="${width / 2}" y="26" text-anchor="middle" font-size="13" opacity="0.6">${escaped(title)}</text>
${text.join('\n')}
</g>
</svg>
`;
}

/** Cells beside each other that look the same. */
interface Run {
  readonly x: number;
  readonly style: string;
  text: string;
  cells: number;
}

/** Lines of runs; blank cells end a run, so that no blank is ever measured by a font. */
function linesOf(terminal: Terminal): readonly (readonly Run[])[] {
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, y) => runsOf(active.getLine(y), terminal.cols));
  const last = lines.findLastIndex(runs => runs.length > 0);
  const first = lines.findIndex(runs => runs.length > 0);
  return first < 0 ? [] : lines.slice(first, last + 1);
}

type BufferLine = ReturnType<Terminal['buffer']['active']['getLine']>;
type Cell = NonNullable<ReturnType<NonNullable<BufferLine>['getCell']>>;

function runsOf(line: BufferLine, columns: number): readonly Run[] {
  const runs: Run[] = [];
  let open: Run | undefined;
  for (let x = 0; x < columns; x += 1) {
    const cell = line?.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const text = cell.getChars();
    if (text.trim() === '') {
      open = undefined;
      continue;
    }
    const style = styleOf(cell);
    if (open?.style !== style) {
      open = { x, style, text: '', cells: 0 };
      runs.push(open);
    }
    open.text += text;
    open.cells += cell.getWidth();
  }
  return runs;
}

function styleOf(cell: Cell): string {
  const color = cell.isFgPalette() ? PALETTE[cell.getFgColor()] : undefined;
  return [
    ...(color === undefined ? [] : [`fill="${color}"`]),
    ...(cell.isBold() ? ['font-weight="700"'] : []),
    ...(cell.isDim() ? ['opacity="0.55"'] : []),
  ].join(' ');
}

function drawn({ x, style, text, cells }: Run, y: number): string {
  const place = `x="${round(EDGE.x + x * CELL.width)}" y="${EDGE.top + y * CELL.height + CELL.font}"`;
  const length = `textLength="${round(cells * CELL.width)}" lengthAdjust="spacingAndGlyphs"`;
  return `<text ${place} ${length}${style === '' ? '' : ` ${style}`}>${escaped(text)}</text>`;
}

const COLORS = { background: '#11151c', frame: '#2b323d', text: '#d7dce3' };
/** The 16 colours by their SGR numbers; those that the screen paints with, and their bright sisters. */
const PALETTE: Readonly<Record<number, string>> = {
  ...{ 0: '#3b4252', 1: '#ef6b73', 2: '#8fce8b', 3: '#e3c078', 4: '#6ea8fe', 5: '#c79bf0', 6: '#5ccfe6', 7: '#d7dce3' },
  ...{
    8: '#6b7485',
    9: '#ff8a91',
    10: '#a9e5a5',
    11: '#f4d69a',
    12: '#93bfff',
    13: '#dcbcff',
    14: '#8be4f5',
    15: '#ffffff',
  },
};

const round = (n: number): number => Math.round(n * 10) / 10;
const escaped = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    character => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? character,
  );
