import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { GenerationId, InstanceKey } from '../../src/model/run/key.ts';
import type { MediaResult, Result } from '../../src/model/run/result.ts';
import { LockFile, LockRefused, lockPath, readLockText } from '../../src/records/lock/lock-file.ts';
import { quickPrint } from '../../src/records/lock/lock-print.ts';
import { blockOf, LockText } from '../../src/records/lock/lock-text.ts';
import { processorTime } from '../support/processor-time.ts';
import { type Locked, lockWith } from './locked.ts';

const result: MediaResult = {
  is: 'media',
  result_url: 'https://house.test/signed?expires=1',
  sha256: 'ab'.repeat(32),
  extension: '',
  bytes: 1234,
  generation_id: 'gen-1' as GenerationId,
  request: { prompt: 'a fox' },
  cost: 0.5,
  media: { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 5 },
};
const shot: Locked = { key: 'shot', model: 'V-T2V-A', fingerprint: 'f1', result };

test('it reads like a story: sections for each service, one block for each instance, no address and no path', () => {
  const text = lockWith([shot]);
  expect(
    text,
  ).toBe(`# Written by shotlist; commit it. It says what every instance of the film gave, so that nothing is paid for twice.
shotlist: 1
services:
  house:
    shot:
      fingerprint: f1
      is: media
      model: V-T2V-A
      sha256: ${'ab'.repeat(32)}
      bytes: 1234
      media:
        kind: video
        format: mp4
        width: 1280
        height: 720
        duration: 5
      generation: gen-1
      cost: 0.5
`);
});

test('what is locked is found by what was asked, never by its name; its address is asked for anew', () => {
  const text = lockWith([shot]);
  const lock = LockFile.open(text, 'house', 'fox.lock.yaml', false);
  expect(lock.find('f1')).toEqual({ ...result, result_url: 'generation:gen-1', request: {} });
  expect(lock.find('f2')).toBeUndefined();
  expect(LockFile.open(text, 'hosted', 'fox.lock.yaml', false).find('f1')).toBeUndefined();
});

test('other services keep their sections, and other entries of this one what they had', () => {
  const house = lockWith([shot, { ...shot, key: 'old' }]);
  const both = lockWith([shot], house, 'hosted');
  const after = LockText.read(both, 'fox.lock.yaml').with('house', new Map(), key => key === 'old').text;
  expect(after.match(/^ {2,4}\S+:/gm)).toEqual(['  hosted:', '    shot:', '  house:', '    shot:']);
});

test('a lock file that a merge broke, or a newer version wrote, is refused with what to do', () => {
  expect(() => LockFile.open('<<<<<<< mine\na: [', 'house', 'fox.lock.yaml', false)).toThrow(
    'fox.lock.yaml is not readable YAML (line 1), perhaps after a merge; mend it, or delete it: what is owned is still in the journal',
  );
  expect(() => LockFile.open('shotlist: 9', 'house', 'fox.lock.yaml', false)).toThrow(
    'fox.lock.yaml has version 9; this shotlist reads lock files of version 1: use the shotlist that wrote it',
  );
});

test('it stands beside the pipeline', () => {
  expect(lockPath('pipelines/fox.yaml')).toBe('pipelines/fox.lock.yaml');
  expect(lockPath('fox.yml')).toBe('fox.lock.yaml');
});

/** A lock of our own section whose entries are these lines. */
const written = (...lines: readonly string[]): string =>
  `shotlist: 1\nservices:\n  house:\n${lines.map(line => `    ${line}\n`).join('')}`;
const open = (text: string, service = 'house') => LockFile.open(text, service, 'fox.lock.yaml', false);
const whole = lockWith([shot]);

test.each([
  ['no digest', /^ {6}sha256: .*\n/m, '', '`shot` has no `sha256`'],
  [
    'a digest that is none',
    /sha256: .*/,
    'sha256: ../../etc/passwd',
    '`shot` `sha256` must be a SHA-256: 64 lower-case hex digits',
  ],
  ['a number for a text', 'model: V-T2V-A', 'model: 7', '`shot` `model` must be a text'],
  ['a text for a number', 'bytes: 1234', 'bytes: many', '`shot` `bytes` must be a whole number'],
  ['facts of no kind', 'kind: video', 'kind: smell', '`shot` `media`: `kind` must be video, image or audio'],
  ['no facts', 'kind: video', 'height: 5', '`height` for the second time'],
  ['money that is none', 'cost: 0.5', 'cost: -1', '`shot` `cost` must be an amount in US dollars, or null'],
  ['a generation that is none', 'generation: gen-1', 'generation: []', '`shot` `generation` must be a text, or null'],
  ['no fingerprint', 'fingerprint: f1', 'finger: f1', '`shot` has no `fingerprint`'],
])('an entry with %s is refused with its key and what is wrong', (_, from, to, words) => {
  expect(() => open(whole.replace(from, to))).toThrow(words);
  // Laid out otherwise it is read by another reader, and refused with the same words.
  expect(() => open(whole.replace(from, to).replace('shotlist: 1', 'shotlist:  1'))).toThrow(words);
});

test('all wrong entries are told at once, at most five of them, and no name of theirs reaches the terminal as it is', () => {
  const text = written(...Array.from({ length: 7 }, (_, n) => `shot_${n}: {}`), '"\\e]52;c;x\\amad": 3');
  expect(() => open(text)).toThrow(
    /^fox\.lock\.yaml is not as shotlist wrote it: `mad` must be a map that begins with `fingerprint`; `shot_0` says nothing .*; and 3 more; mend it, or delete it: what is owned is still in the journal$|`shot_4`.*and 3 more/,
  );
});

test.each([
  ['one name twice', 'shot: {}', 'shot: {}'],
  ['one name twice, as we lay it out', 'shot:', '  fingerprint: f1', 'shot:', '  fingerprint: f2'],
])('%s is an error with its place', (_, ...lines) => {
  const line = lines.lastIndexOf(lines[0]!) + 4;
  expect(() => open(written(...lines))).toThrow(
    `fox.lock.yaml is not as shotlist wrote it: line ${line} has \`shot\` for the second time; mend it, or delete it: what is owned is still in the journal`,
  );
});

test('names that JavaScript minds, aliases that multiply and nesting without end are sentences, and no crash', () => {
  for (const key of ['__proto__:', '"__proto__":'])
    expect(() => open(written(key, '  fingerprint: f1'))).toThrow('line 4 has a key `__proto__`, which is no name');
  expect(() => open(written('shot:', '  fine_tune:', '    __proto__:', '      polluted: true'))).toThrow('`__proto__`');
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...Array.from('bcdefghij', (name, n) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[n]}`)}]`),
  ];
  expect(() => open(written(...bomb))).toThrow('line 5 holds an alias');
  expect(() => open(written(`shot: ${'['.repeat(50_000)}`))).toThrow('fox.lock.yaml is nested deeper than 40 levels');
  expect(() => open(written(`shot: ${'[ '.repeat(60)}${'] '.repeat(60)}`))).toThrow('nested deeper than 40 levels');
  for (const key of ['constructor', 'toString', 'hasOwnProperty']) {
    const lock = open(lockWith([{ ...shot, key }]));
    expect([lock.fingerprintOf(key as InstanceKey), lock.fingerprintOf('valueOf' as InstanceKey)]).toEqual([
      'f1',
      undefined,
    ]);
  }
});

test('ten thousand keys, all alike or all different, are read in no time', () => {
  const worked = processorTime();
  const many = Array.from({ length: 10_000 }, (_, n) => ({ ...shot, key: `shot[seed=${n}]` }));
  const text = lockWith(many);
  expect(open(text).fingerprintOf('shot[seed=9999]' as InstanceKey)).toBe('f1');
  // A second here; the library's own look for double keys alone takes four.
  expect(() => open(written(...Array.from({ length: 10_000 }, () => 'shot: {}')))).toThrow('for the second time');
  expect(worked()).toBeLessThan(6_000);
});

const odd = [
  ...String.raw`- 1 1e5 007 0x1f null yes true ~ 9:16 127.0.0.1:8080 " it's \ # @ [a] {a} --- ... a: : << *a &a !a %a .5 -1`.split(
    ' ',
  ),
  ...['-0', '1.', '+1', '.inf', 'é', '日本', '', ' ', 'a: b', 'a #b', '- a', ': a', '\ud83e\udd8a', '\u001b[2J'],
  ...['a\nb', 'a\n\n\nb\n', '\n', '\n a', ' a\nb', 'a\n ', 'a\tb', '\ta\nb', 'a\rb', 'a\u0085b', '\u2028', '---\nx'],
  ...['x'.repeat(2000), `${'word '.repeat(60)}\n${'word '.repeat(60)}`],
];
const numbers = [0, 1, -1, 0.5, 1e-7, 1e21, 123456789012, 0.1 + 0.2, 1e300];
const plain = ['a fox, wide', '720P', '16:9', 'sha256:0123456789abcdef', "the fox's", 'ends …'];
const values = [...odd, ...plain, ...numbers, null, true, false, {}, [], [1, 'a'], { a: {} }, { a: [{ b: 1 }] }];

/** What prompts and settings are made of, and what only looks like it. */
const texts = [
  ...'Yes 720P 1080p 4K 5s 16:9 2.39:1 12:34:56 1e5 0x1f 0o17 1_000 sha256:0123456789abcdef sha256: ünd a… …'.split(
    ' ',
  ),
  ...['a red fox crosses the frozen river, wide shot, dusk, number 12', "the fox's (second) walk; slow!", 'why?'],
  ...[
    'is it? yes',
    'ends with a blank ',
    'a - b',
    'a: b',
    'a :b',
    'a #b',
    'a  b',
    'a\tb',
    'null and void',
    'true story',
  ],
  ...[`${'long '.repeat(38)}… (1204 characters, 0123456789abcdef)`, 'word '.repeat(100).trim(), 'und ü'],
  ...["'quoted'", 'user: say it'],
];

test('our own printer prints what the YAML library prints', () => {
  const words =
    'V-T2V-A gen-86 a/b.c a- -a a. x1 0 1a 12e5 1e5f deadbeef True true false null 12 007 -5 NULL a_ _'.split(' ');
  const names = [
    ...words,
    ...['shot[seed=1]', 'shot[scene=a b]', 'step[a=1,b=-2]', 'a[', 'input_images[0]', 'null[a=1]', 'a[b=1] c'],
    'k'.repeat(1_100),
  ];
  const numbers = [-0, 12, -12.5, 1e-7, Number.MAX_SAFE_INTEGER];
  const all = [...values, ...names, ...numbers, '\u00e4b', 'a,b', 'a=b', 'a[b]', ...texts];
  const byLibrary = (map: object) => stringify(map, { lineWidth: 0, aliasDuplicateObjects: false });
  const maps = [...all.map(value => ({ key: value })), ...[...names, ...odd].map(name => ({ [name]: { [name]: 1 } }))];
  let quick = 0;
  for (const map of maps) {
    const printed = quickPrint(map, 0);
    if (printed !== undefined) expect(printed).toBe(byLibrary(map));
    quick += printed === undefined ? 0 : 1;
  }
  expect(quick).toBeGreaterThan(40);
});

test('our own reader gives what the YAML library gives, for anything that we write', () => {
  const keys = odd.filter(name => name !== '__proto__');
  const entries = [
    ...values.map(value => ({ first: 'x', value, nested: { value, after: 1 }, after: 'y' })),
    ...keys.map(name => ({ [name]: { [name]: name } })),
    ...texts.map(text => ({ asked: { prompt: text, 'input_images[0]': text, 'files.clip': text } })),
  ];
  const text = `shotlist: 1\nservices:\n  house:\n${entries.map((entry, n) => blockOf(`k${n}`, entry)).join('')}`;
  const lock = LockText.read(text, 'fox.lock.yaml');
  const read = [...lock.section('house').values()].map(block => block.value());
  expect(read).toEqual(entries);
  // Keys too: those of one line, quoted ones, and those too long for a line.
  const byName = Object.fromEntries(keys.map(name => [name, { fingerprint: 'f1' }]));
  const named = LockText.read(
    `shotlist: 1\nservices:\n  house:\n${Object.entries(byName)
      .map(([name, entry]) => blockOf(name, entry))
      .join('')}`,
    'x',
  );
  const library = LockText.read(stringify({ services: { house: byName }, shotlist: 1 }, { lineWidth: 0 }), 'x');
  for (const found of [named, library])
    expect([...found.section('house')].map(([name, block]) => [name, block.value()])).toEqual(Object.entries(byName));
});

test('blanks after a colon are no text, and an entry that is no map is refused', () => {
  const lock = LockText.read(written('shot:', '  fingerprint: ', '  cost:  '), 'fox.lock.yaml');
  expect([...lock.section('house').values()].map(block => block.value())).toEqual([{ fingerprint: null, cost: null }]);
  for (const value of ['', ' x', ' 3', ' []'])
    expect(() => open(written(`shot:${value}`))).toThrow('`shot` must be a map that begins with `fingerprint`');
});

/** The same texts every time, each cut, doubled and torn in places of its own. */
function* mutilated(texts: readonly string[], times: number): Iterable<string> {
  let seed = 8;
  const below = (end: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed % end;
  };
  const bits = [
    ...['\n', ' ', '  ', '-', '? ', ': ', '"', "'", '|', '#', '[', '{', '}', '&a ', '*a', '!!int ', '__proto__'],
    ...['\t', '\r', '%', '---\n', '<<: ', '\ud800', '\0'],
  ];
  for (let n = 0; n < times; n++) {
    let text = texts[n % texts.length]!;
    for (let tears = below(4); tears >= 0; tears--) {
      const at = below(text.length + 1);
      text = text.slice(0, at) + (below(2) ? bits[below(bits.length)] : '') + text.slice(at + below(6));
    }
    yield text;
  }
}

test('a lock that was mutilated is read or refused with a sentence, and nothing else', () => {
  const ends = { read: 0, refused: 0 };
  for (const text of mutilated([whole], 1_500)) {
    try {
      open(text);
      lockWith([shot], text);
      ends.read++;
    } catch (error) {
      expect(error).toBeInstanceOf(LockRefused);
      ends.refused++;
    }
  }
  expect(Math.min(ends.read, ends.refused)).toBeGreaterThan(100);
});

test.each([
  ['/dev/zero', 'is a device, which has no end'],
  ['/', 'is a folder'],
])('a lock that is %s: its whole reason, and what to do about a lock', (path, what) => {
  expect(() => readLockText(path, 'fox.lock.yaml')).toThrow(
    `fox.lock.yaml ${what}; mend it, or delete it: what is owned is still in the journal`,
  );
});

test('our own reader takes nothing that the YAML library refuses, and reads nothing otherwise, in any indentation', () => {
  const told = { ...shot, key: 'told', result: { ...kinds[1]![0], text: 'a fox\n\ncrosses: the river\n' } as Result };
  const text = lockWith([told], lockWith([shot, { ...shot, key: 'cut', result: kinds[3]![0] }]), '127.0.0.1:8080');
  const indented = (deep: number) => text.replaceAll(/^ +/gm, blanks => ' '.repeat((blanks.length / 2) * deep));
  const said = (from: string) => {
    try {
      const lock = LockText.read(from, 'fox.lock.yaml');
      return ['house', '127.0.0.1:8080'].map(name =>
        [...lock.section(name)].map(([key, block]) => [key, block.value()]),
      );
    } catch (error) {
      expect(error).toBeInstanceOf(LockRefused);
      return 'refused';
    }
  };
  expect([1, 3, 4].map(deep => said(indented(deep)))).toEqual(Array(3).fill(said(text)));
  // Our reader knows no directive: with one before it, the same text is the library's.
  for (const torn of mutilated([text, indented(1), indented(4)], 3_000)) {
    if (/^(?:%|---|\.\.\.)/m.test(torn)) continue;
    expect(said(torn), torn).toEqual(said(`%YAML 1.2\n---\n${torn}`));
  }
});

test('a lock that a formatter or Windows laid out anew says the same, and is left as it is while nothing is new', () => {
  const again = `%YAML 1.2\n---\n${whole.replaceAll('    ', '        ').replaceAll('  house:', '    "house":')}`;
  for (const text of [whole.replaceAll('\n', '\r\n'), `\ufeff${whole}`, again, whole.trimEnd()]) {
    expect(open(text).find('f1')).toMatchObject({ sha256: 'ab'.repeat(32), bytes: 1234, media: { width: 1280 } });
    expect(LockText.read(text, 'fox.lock.yaml').with('house', new Map()).text).toBe(text);
  }
});

test('an entry names its generation, and that of a call none', () => {
  const call = {
    ...shot,
    ...{ key: 'call', fingerprint: 'f2' },
    result: { ...result, generation_id: null },
  };
  const lock = open(lockWith([shot, call]));
  expect(lock.find('f1')).toMatchObject({ generation_id: 'gen-1' });
  expect(lock.find('f2')).toMatchObject({ generation_id: null });
});

test('money in it has no drift', () => {
  expect(lockWith([{ ...shot, result: { ...result, cost: 0.1 + 0.2 } }])).toContain('cost: 0.3\n');
});

/** Each kind of result, as its entry stands in a file from before entries were tagged. */
const kinds: readonly [Result, fields: readonly string[]][] = [
  [
    { ...result, result_url: 'generation:gen-1', request: {} },
    [
      ...['model: M', `sha256: ${'ab'.repeat(32)}`, 'bytes: 1234', 'media:', '  kind: video', '  format: mp4'],
      ...['  width: 1280', '  height: 720', '  duration: 5', 'generation: gen-1', 'cost: 0.5'],
    ],
  ],
  [
    { is: 'text', text: '[1]', json: [1], finish_reason: 'stop', usage: null, request: {}, cost: 0.01 },
    ['model: M', 'text: "[1]"', 'finish_reason: stop', 'usage: null', 'cost: 0.01'],
  ],
  [{ is: 'fine_tune', fine_tune: { id: 'ft-1' } }, ['fine_tune:', '  id: ft-1']],
  [
    {
      ...{ is: 'command', stdout: '{"a":1}', json: { a: 1 } },
      files: { cut: { extension: '', sha256: 'cd'.repeat(32), bytes: 7, media: null } },
    },
    [
      ...[`stdout: '{"a":1}'`, 'files:', '  cut:'],
      ...[`    sha256: ${'cd'.repeat(32)}`, '    bytes: 7', '    media: null'],
    ],
  ],
];

test.each(kinds)(
  'a result of each kind comes back as it was, with its tag and from before there was one: %o',
  (kind, fields) => {
    const tagged = lockWith([{ key: 'shot', model: 'M', fingerprint: 'f1', result: kind }]);
    expect(tagged.split('\n').slice(4, -1)).toEqual(
      ['shot:', '  fingerprint: f1', `  is: ${kind.is}`, ...fields.map(field => `  ${field}`)].map(
        line => `    ${line}`,
      ),
    );
    const before = written('shot:', '  fingerprint: f1', ...fields.map(field => `  ${field}`));
    for (const text of [tagged, before]) expect(open(text).find('f1')).toEqual(kind);
  },
);

test('an entry without a tag stays as it is until it is written anyway', () => {
  const before = lockWith([shot, { ...shot, key: 'old' }]).replaceAll('      is: media\n', '');
  expect(lockWith([], before)).toBe(before);
  const after = lockWith([shot], before);
  expect(after.match(/^ {4}\S+:|^ {6}is: .*/gm)).toEqual(['    old:', '    shot:', '      is: media']);
});

test('a tag decides what must be there, and one that is not known is refused', () => {
  expect(() => open(whole.replace('is: media', 'is: text'))).toThrow('`shot` has no `text`');
  for (const is of ['cut', 'toString', '[]', '3'])
    expect(() => open(whole.replace('is: media', `is: ${is}`))).toThrow(
      '`shot` `is` must be media, text, fine_tune or command; this shotlist knows no other; mend it',
    );
});
