/** A small picture in the scroll-back, as the terminals that can show one are told. Pure. */

/** Of kitty and Ghostty; of iTerm2 and WezTerm. */
export type PictureProtocol = 'kitty' | 'iterm2';

export interface Pictures {
  readonly protocol: PictureProtocol;
  /** A small PNG of content that is on this machine; undefined where none can be drawn in a moment. */
  readonly of: (sha256: string, kind: 'image' | 'video', seconds: number) => Promise<Uint8Array | undefined>;
}

/** Rows of the terminal that a picture takes. */
const ROWS = 9;
/** Characters that kitty takes at once. */
const CHUNK = 4096;

/** The bytes that show it two cells in, and leave the cursor below it. */
export function pictureText(protocol: PictureProtocol, png: Uint8Array): string {
  const data = Buffer.from(png).toString('base64');
  return `\n  ${protocol === 'kitty' ? kittyText(data) : iterm2Text(data, png.length)}\n`;
}

/** Kitty draws it to the right of the cursor and moves the cursor behind its last row; it answers nothing (`q=2`). */
function kittyText(data: string): string {
  const chunks = data.match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? [];
  return chunks
    .map((chunk, at) => {
      const head = at === 0 ? `a=T,f=100,r=${ROWS},q=2,` : '';
      return `\x1b_G${head}m=${at < chunks.length - 1 ? 1 : 0};${chunk}\x1b\\`;
    })
    .join('');
}

const iterm2Text = (data: string, bytes: number): string =>
  `\x1b]1337;File=inline=1;size=${bytes};height=${ROWS};preserveAspectRatio=1:${data}\x07`;
