/** A small picture is shown where the terminal says that it can, and nowhere else. */
import { decode, fromRGBA8888 } from 'sixel';
import { expect, test } from 'vitest';
import { pictureTerminal } from '../../src/cli/terminal/picture-protocol.ts';
import {
  type PictureTerminal,
  pictureText,
  placedPicture,
  type SmallPicture,
} from '../../src/show/terminal/pictures/pictures.ts';

/** A terminal of 100×40 that answers each question of these. */
const told = (answers: Readonly<Record<string, string>>) => {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answers[question];
  };
  return { columns: 100, rows: 40, ask, asked };
};
const WHAT = '\x1b[16t\x1b[c';
const LARGEST = '\x1b[?2;1;0S\x1b[c';

test.each([
  [{ TERM: 'xterm-kitty' }, 'kitty'],
  [{ TERM: 'xterm-ghostty' }, 'kitty'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }, 'iterm2'],
  [{ TERM: 'xterm-256color' }, undefined],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }, undefined],
  [{ TERM: 'tmux-256color', KITTY_WINDOW_ID: '1' }, undefined],
  [{ TERM: 'xterm-kitty', TMUX: '/tmp/tmux' }, undefined],
  [{ TERM: 'xterm-kitty', STY: '1.pts' }, undefined],
  [{}, undefined],
])('%j, which answers nothing, shows %s', async (environment, protocol) => {
  expect((await pictureTerminal(environment, told({})))?.protocol).toBe(protocol);
});

const sixel = (width: number, height: number) => ({ protocol: 'sixel', cell: { width, height } });

test.each([
  ['foot', '\x1b[6;18;9t\x1b[?62;4;22c', sixel(9, 18)],
  ['a cell of no size', '\x1b[6;0;0t\x1b[?62;4c', sixel(8, 16)],
  ['a cell as large as a wall', '\x1b[6;99999;99999t\x1b[?62;4c', sixel(8, 16)],
  ['a size of its own making', '\x1b[6;;t\x1b[?62;4c', sixel(8, 16)],
  ['xterm without', '\x1b[?64;1;2;6;9;15;18;21;22c', undefined],
  ['a VT132, which is a 4 itself', '\x1b[?4;6c', undefined],
  ['14 and 42 are no 4', '\x1b[?62;14;42c', undefined],
  ['the console of Linux', '\x1b[?6c', undefined],
])('%s', async (_, answer, shows) => {
  expect(await pictureTerminal({ TERM: 'xterm-256color' }, told({ [WHAT]: answer }))).toEqual(shows);
});

test.each([
  ['its window', '\x1b[?2;0;800;680S\x1b[?63;1;2;4c', sixel(8, 17)],
  ['no such thing', '\x1b[?2;3S\x1b[?63;1;2;4c', sixel(8, 16)],
  ['nothing', undefined, sixel(8, 16)],
])(
  'xterm does not tell a stranger how large a character is: %s says it, or it is taken to be small',
  async (_, largest, shows) => {
    const xterm = told({
      [WHAT]: '\x1b[?63;1;2;4;6;9;15;16;22;28c',
      ...(largest !== undefined && { [LARGEST]: largest }),
    });
    expect(await pictureTerminal({ TERM: 'xterm' }, xterm)).toEqual(shows);
    expect(xterm.asked).toEqual([WHAT, LARGEST]);
  },
);

test('one that knows no sixel is not asked for the largest: the word may mean something else to it', async () => {
  const terminal = told({ [WHAT]: '\x1b[?1;2c' });
  await pictureTerminal({ TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }, terminal);
  expect(terminal.asked).toEqual([WHAT]);
});

test('within tmux nobody is asked: it says that it can for a terminal that perhaps cannot', async () => {
  const tmux = told({ [WHAT]: '\x1b[?1;2;4c' });
  expect(await pictureTerminal({ TERM: 'tmux-256color', TMUX: '/tmp/tmux' }, tmux)).toBe(undefined);
  expect(tmux.asked).toEqual([]);
});

const terminal = (protocol: PictureTerminal['protocol']): PictureTerminal => ({
  protocol,
  cell: { width: 10, height: 20 },
});
const png = Uint8Array.from({ length: 10_000 }, (_, n) => n % 251);
const picture: SmallPicture = { width: 1, height: 1, rgba: Uint8Array.of(1, 2, 3, 255), png };

test('kitty is given chunks of at most 4,096 characters, which are the picture', async () => {
  const text = await pictureText(terminal('kitty'), picture);
  const parts = [...text.matchAll(/\x1b_G([^;]*);([^\x1b]*)\x1b\\/g)];
  expect(parts.map(([, head]) => head)).toEqual(['a=T,f=100,r=9,q=2,m=1', 'm=1', 'm=1', 'm=0']);
  expect(Buffer.from(parts.map(([, , data]) => data).join(''), 'base64')).toEqual(Buffer.from(png));
  expect(Math.max(...parts.map(([, , data]) => data!.length))).toBeLessThanOrEqual(4096);
});

test('iTerm2 is given the whole of it', async () => {
  expect(await pictureText(terminal('iterm2'), { ...picture, png: Uint8Array.of(1, 2, 3) })).toBe(
    '\n  \x1b]1337;File=inline=1;size=3;height=9;preserveAspectRatio=1:AQID\x07\n',
  );
});

/** A sky above a field, a sun in it. */
function landscape(width: number, height: number): SmallPicture {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const isSun = (x - width * 0.7) ** 2 + (y - height * 0.3) ** 2 < (height * 0.15) ** 2;
      const color = isSun ? [250, 220, 90] : y < height * 0.6 ? [60, 120, 200 - Math.round(y / 4)] : [40, 130, 50];
      rgba.set([...color, 255], (y * width + x) * 4);
    }
  return { width, height, rgba, png };
}

/** The largest difference of a colour, where the picture is not at an edge of its shapes. */
function difference(shown: Uint32Array, { rgba }: SmallPicture): number {
  let sum = 0;
  for (const [at, pixel] of shown.entries()) {
    const [red, green, blue] = fromRGBA8888(pixel);
    const [r = 0, g = 0, b = 0] = rgba.subarray(at * 4, at * 4 + 3);
    sum += Math.abs(red - r) + Math.abs(green - g) + Math.abs(blue - b);
  }
  return sum / shown.length / 3;
}

test.each([
  [320, 180],
  [101, 180],
  [7, 5],
])('sixel of %i×%i pixels is the picture', async (width, height) => {
  const drawn = landscape(width, height);
  const { show, columns, rows } = await placedPicture(terminal('sixel'), drawn);
  expect([columns, rows]).toEqual([Math.ceil(width / 10), Math.ceil(height / 20)]);
  const shown = decode(Buffer.from(/^\x1bP[\d;]*q([\s\S]*)\x1b\\$/.exec(show)![1]!));
  expect([shown.width, shown.height]).toEqual([width, height]);
  expect(difference(new Uint32Array(shown.data32), drawn)).toBeLessThan(6);
});

test('below a sixel picture the cursor is where we led it, wherever the terminal leaves it', async () => {
  const text = await pictureText(terminal('sixel'), landscape(320, 170));
  // Nine rows of twenty pixels: made first, gone back, and gone down again.
  expect(text).toMatch(/^\n{10}\x1b\[9A\x1b\[3G\x1b7\x1bP[^\x1b]*\x1b\\\x1b8\x1b\[9B\r$/);
});

test('of a picture over a view kitty is told its cells, and to take it away', async () => {
  const { show, hide } = await placedPicture(terminal('kitty'), { ...landscape(320, 170), png });
  expect(show).toMatch(/^\x1b_Ga=T,f=100,i=7463,p=1,C=1,c=32,r=9,q=2,m=1;/);
  expect(hide).toBe('\x1b_Ga=d,d=I,i=7463,q=2\x1b\\');
});
