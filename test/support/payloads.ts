/** Texts that a terminal would obey, or that would deceive its reader, from ECMA-48, xterm's manual, and what has been used against people. */

const ESC = '\x1b';
/** Every payload has a word before and after, so that one that swallows its neighbours is seen to. */
const inWords = (order: string, index: number): string => `w${index}${order}z${index}`;

const CONTROLS = [...Array(32).keys(), 0x7f, ...Array.from({ length: 32 }, (_, n) => 0x80 + n)].map(code =>
  String.fromCharCode(code),
);

const MARKS = [
  ...['\u061c', '\u180e', '\u200b', '\u200e', '\u200f', '\u2028', '\u2029', '\u202a', '\u202b', '\u202c', '\u202d'],
  ...['\u202e', '\u2060', '\u2064', '\u2066', '\u2067', '\u2068', '\u2069', '\u206a', '\u206f', '\ufeff', '\ufff9'],
  ...['\ufffb', '\u{e0001}', '\u{e0041}', '\u{e007f}', '\ud83d', '\udc00', '\u202egpj.exe\u202c', '\u2066\u202e\u2069'],
];

/** CSI, each in seven and in eight bits. */
const SEQUENCES = [
  ...['2J', '3J', 'H', '1;1H', '1A', '999D', '2K', '6n', 'c', '>c', '0c', '21t', '8;1;1t', '22;0t', '?1049h', '?25l'],
  ...[
    '?1000h',
    '?2004h',
    '?2026h',
    '35;7m',
    '38;5;1m',
    '8m',
    '31m',
    '0m',
    '4i',
    '5i',
    '!p',
    '?5h',
    '"p',
    '10000@',
    '1000b',
  ],
].flatMap(order => [`${ESC}[${order}`, `\x9b${order}`]);

/** OSC, DCS, SOS, PM, APC: introduced and ended in every way, or never. */
const STRINGS = [
  ...['0;owned', '2;owned', '52;c;cm0gLXJm', '52;c;?', '8;;http://evil.example', '4;1;?', '10;?', '7;file:///etc'],
  ...['9;notify', '777;notify;a;b', '1337;File=inline=1:AAAA', '1337;CopyToClipboard=', '50;font', '633;A', '133;A'],
].flatMap(order => [`${ESC}]${order}\x07`, `${ESC}]${order}${ESC}\\`, `\x9d${order}\x9c`, `${ESC}]${order}`]);

const OTHERS = [
  ...[`${ESC}c`, `${ESC}#8`, `${ESC}(0`, `${ESC}7`, `${ESC}8`, `${ESC}=`, `${ESC}>`, `${ESC}D`, `${ESC}M`, `${ESC}N`],
  ...[`${ESC}P$qm${ESC}\\`, `${ESC}P+q544e${ESC}\\`, `\x90q#0~\x9c`, `${ESC}Ptmux;${ESC}${ESC}]0;x\x07${ESC}\\`],
  ...[
    `${ESC}_Gf=100;AAAA${ESC}\\`,
    `${ESC}^pm${ESC}\\`,
    `${ESC}Xsos${ESC}\\`,
    `\x98sos\x9c`,
    `\x9epm\x9c`,
    `\x9fapc\x9c`,
  ],
  // Orders inside orders: what is left when the inner one is taken out must not be one.
  ...[`${ESC}${ESC}[0m[2J`, `${ESC}[${ESC}[2J2J`, `${ESC}${ESC}]0;a\x07]0;b\x07`, `\x9b\x9b2J2J`, `${ESC}\u200b[2J`],
  ...[`${ESC}[2\u202eJ`, `${ESC}]0;${ESC}]0;x\x07\x07`, `${ESC}[2\x00J`, `${ESC}[;;;;;`, `${ESC}[${'9'.repeat(50)}J`],
  // One line over another; a prompt that is none.
  ...['safe\rrm -rf ~', 'abc\b\b\bxyz', 'a\r\nb', 'line\n✓ shot  done', '\v\f', 'a\tb', `${ESC}[1A${ESC}[2K✓ done`],
  ...['\x07\x07\x07', '\x05', '\x0e lqk \x0f', '\x18', '\x1a', `${ESC}`, `${ESC}[`, `${ESC}]`, '\x9b', '\x9d'],
];

export const PAYLOADS: readonly string[] = [...CONTROLS, ...MARKS, ...SEQUENCES, ...STRINGS, ...OTHERS].map(inWords);

/** Anything of what this is about; a line end and a tab are for the sink to judge. */
export const OBEYED =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/u;

/** Texts that a page, a CI system or a viewer of Markdown would obey: each holds `owned`, which may be read and never do anything. */
const ORDERS = [
  ...[
    '<script>owned()</script>',
    '<img src=x onerror=owned()>',
    '<svg/onload=owned()>',
    '"><svg onload=owned()>',
    "'><b>owned",
  ],
  ...[
    '</script><script>owned()',
    '<!--owned-->',
    '--><script>owned()</script>',
    '</title><h1>owned',
    '<![CDATA[owned]]>',
    ']]>owned',
  ],
  ...[
    '<?xml owned?>',
    '<!DOCTYPE x [<!ENTITY owned SYSTEM "file:///etc/passwd">]>',
    '&owned;',
    '&#0;owned',
    '&lt;script&gt;owned',
  ],
  ...[
    '</testcase><testcase name="owned">',
    '" message="owned',
    '\0owned',
    '\ufffeowned',
    '\uffffowned',
    '\ud800owned',
    '\x0bowned',
  ],
  ...[
    '::error::owned',
    '::stop-commands::owned',
    '::add-mask::owned',
    '::set-output name=a::owned',
    '::endgroup::owned',
    '%0A::error::owned',
  ],
  ...[
    '\n::warning::owned',
    '\r\n::error file=a,line=1::owned',
    '##[error]owned',
    '::group::owned',
    'a,line=9::owned',
    'x::owned:,%',
  ],
  ...[
    '| owned | x |',
    'a|owned',
    '# owned',
    '- owned',
    '1. owned',
    '> owned',
    '```\nowned',
    '`owned`',
    '``` owned ```',
    '~~~owned',
  ],
  ...[
    '[owned](javascript:owned)',
    '![owned](http://evil.example/x.png)',
    '<http://evil.example/owned>',
    'http://evil.example/owned',
  ],
  ...[
    'www.evil.example/owned',
    'mail@owned.example',
    '@owned',
    'shotlist/owned#1',
    '#1 owned',
    'GH-1 owned',
    '**owned**',
    '__owned__',
  ],
  ...[
    '~~owned~~',
    '<details open>owned',
    '</details>owned',
    '</td></tr></table>owned',
    '[owned]: http://evil.example',
    '[^owned]',
    ':owned:',
  ],
  ...[
    '\\<b>owned',
    '$owned$',
    '<a href="javascript:owned()">x</a>',
    '<iframe srcdoc=owned>',
    '<style>*{owned}</style>',
    '==owned==',
  ],
  ...[
    '"]; owned -> x; a["',
    '"]:::owned',
    'click a "javascript:owned()"',
    '%%{init: {"owned": 1}}%%',
    'a --> owned',
    '\\"] owned [',
    'end',
  ],
  ...[
    '"@type": "owned"',
    '{"@context": "owned"}',
    '","owned":"',
    '\u2028owned',
    '</script ><x owned>',
    '../../../owned',
    'file:///owned',
  ],
];

export const MARKUP: readonly string[] = ORDERS.map(inWords);
