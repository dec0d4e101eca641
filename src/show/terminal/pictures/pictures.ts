/** A small picture in the sequences of terminals that can show one: in the scroll-back, and over the cells at the right of a view. */
/** Of kitty and Ghostty; of iTerm2 and WezTerm; of those that say so when they are asked: xterm, foot, Konsole, Windows Terminal. */
export type PictureProtocol = 'kitty' | 'iterm2' | 'sixel';

interface Extent {
  readonly width: number;
  readonly height: number;
}

/** How a terminal shows pictures. */
export interface PictureTerminal {
  readonly protocol: PictureProtocol;
  /** Pixels of one character. */
  readonly cell: Extent;
}

/** Its extent is in pixels. */
export interface SmallPicture extends Extent {
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly rgba: Uint8Array;
  readonly png: Uint8Array;
}

/** Content that a picture can be made of. */
export interface PicturedMedia {
  readonly sha256: string;
  readonly kind: 'image' | 'video';
  readonly seconds: number;
}

export interface Pictures {
  /** How this terminal shows them: it is asked, once. Undefined: it shows none. */
  readonly terminal: () => Promise<PictureTerminal | undefined>;
  /** One that fits into these pixels; undefined where the content is not here, cannot be drawn, or the signal aborts first. */
  readonly of: (media: PicturedMedia, within: Extent, signal: AbortSignal) => Promise<SmallPicture | undefined>;
}

/** Rows of the terminal that a picture in the scroll-back takes, at most. */
const ROWS = 9;
/** Pixels, at most, where the terminal itself makes a picture as large as it is to be. */
const LARGEST = 480;
/** Characters that kitty takes at once. */
const CHUNK = 4096;

/** Pixels that a picture in the scroll-back may have. */
export const pastExtent = ({ protocol, cell }: PictureTerminal): Extent =>
  protocol === 'sixel' ? { width: LARGEST, height: ROWS * cell.height } : { width: LARGEST, height: LARGEST };

/** The bytes that show it two cells in, and leave the cursor below it. */
export async function pictureText({ protocol, cell }: PictureTerminal, picture: SmallPicture): Promise<string> {
  switch (protocol) {
    case 'kitty':
      return `\n  ${kittyText(`a=T,f=100,r=${ROWS},q=2`, picture.png)}\n`;
    case 'iterm2':
      return `\n  ${iterm2Text(`height=${ROWS}`, picture.png)}\n`;
    case 'sixel': {
      // Terminals differ in where they leave the cursor: room is made first, and the cursor is led by us.
      const rows = Math.ceil(picture.height / cell.height);
      const room = `${'\n'.repeat(rows + 1)}\x1b[${rows}A\x1b[3G`;
      return `${room}\x1b7${await sixelText(picture)}\x1b8\x1b[${rows}B\r`;
    }
  }
}

/** A picture over the cells of a view. */
export interface PlacedPicture {
  /** Cells that it takes. */
  readonly columns: number;
  readonly rows: number;
  /** Draws it with the cursor in its first cell; where the cursor is afterwards is not known. */
  readonly show: string;
  /** Takes away what writing over it leaves; wherever the cursor is. */
  readonly hide: string;
}

export async function placedPicture(
  { protocol, cell }: PictureTerminal,
  picture: SmallPicture,
): Promise<PlacedPicture> {
  const columns = Math.ceil(picture.width / cell.width);
  const rows = Math.ceil(picture.height / cell.height);
  switch (protocol) {
    case 'kitty':
      return {
        ...{ columns, rows },
        show: kittyText(`a=T,f=100,i=${KITTY_ID},p=1,C=1,c=${columns},r=${rows},q=2`, picture.png),
        hide: `\x1b_Ga=d,d=I,i=${KITTY_ID},q=2\x1b\\`,
      };
    case 'iterm2':
      return { columns, rows, show: iterm2Text(`width=${columns};height=${rows}`, picture.png), hide: '' };
    case 'sixel':
      return { columns, rows, show: await sixelText(picture), hide: '' };
  }
}

/** One is shown at a time, and the next takes its place. */
const KITTY_ID = 7_463;

const sixelText = async (picture: SmallPicture): Promise<string> => (await import('./sixel.ts')).sixelText(picture);

/** Drawn to the right of the cursor; kitty answers nothing (`q=2`). */
function kittyText(head: string, png: Uint8Array): string {
  const chunks = base64(png).match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? [];
  return chunks
    .map((chunk, at) => `\x1b_G${at === 0 ? `${head},` : ''}m=${at < chunks.length - 1 ? 1 : 0};${chunk}\x1b\\`)
    .join('');
}

const iterm2Text = (extent: string, png: Uint8Array): string =>
  `\x1b]1337;File=inline=1;size=${png.length};${extent};preserveAspectRatio=1:${base64(png)}\x07`;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
