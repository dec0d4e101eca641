import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { GenerationId, InstanceKey } from '../../src/domain/key.ts';
import type { MediaResult } from '../../src/domain/result.ts';
import { LockFile, LockRefused, lockPath } from '../../src/run/lock/lock-file.ts';
import { blockOf, LockText } from '../../src/run/lock/lock-text.ts';

const result: MediaResult = {
  is: 'media',
  result_url: 'https://house.test/signed?expires=1',
  file: '/somewhere/private.mp4',
  sha256: 'ab'.repeat(32),
  bytes: 1234,
  generation_id: 'gen-1' as GenerationId,
  request: { prompt: 'a fox' },
  cost: 0.5,
  media: { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 5 },
};
const shot = { key: 'shot' as InstanceKey, model: 'V-T2V-A', done: { fingerprint: 'f1', result } };

test('it reads like a story: sections for each service, one block for each instance, no address and no path', () => {
  const text = LockFile.open(undefined, 'studio', 'fox.lock.yaml', false).with([shot]);
  expect(
    text,
  ).toBe(`# Written by shotlist; commit it. It says what every instance of the film gave, so that nothing is paid for twice.
shotlist: 1
services:
  studio:
    shot:
      fingerprint: f1
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
  const text = LockFile.open(undefined, 'studio', 'fox.lock.yaml', false).with([shot]);
  const lock = LockFile.open(text, 'studio', 'fox.lock.yaml', false);
  expect(lock.find('f1')).toEqual({ ...result, result_url: 'generation:gen-1', file: '', request: {} });
  expect(lock.find('f2')).toBeUndefined();
  expect(LockFile.open(text, 'hosted', 'fox.lock.yaml', false).find('f1')).toBeUndefined();
});

test('other services keep their sections, unfinished instances what they had, removed ones go', () => {
  const studio = LockFile.open(undefined, 'studio', 'fox.lock.yaml', false).with([
    shot,
    { ...shot, key: 'old' as InstanceKey },
  ]);
  const both = LockFile.open(studio, 'hosted', 'fox.lock.yaml', false).with([shot]);
  const after = LockFile.open(both, 'studio', 'fox.lock.yaml', false).with([{ ...shot, done: undefined }]);
  expect(after.match(/^ {2,4}\S+:/gm)).toEqual(['  hosted:', '    shot:', '  studio:', '    shot:']);
});

test('a lock file that a merge broke, or a newer version wrote, is refused with what to do', () => {
  expect(() => LockFile.open('<<<<<<< mine\na: [', 'studio', 'fox.lock.yaml', false)).toThrow(
    'fox.lock.yaml is not readable YAML (line 1), perhaps after a merge; mend it, or delete it: what is owned is still in the journal',
  );
  expect(() => LockFile.open('shotlist: 9', 'studio', 'fox.lock.yaml', false)).toThrow(
    'fox.lock.yaml has version 9; this shotlist reads lock files of version 1: use the shotlist that wrote it',
  );
});

test('it stands beside the pipeline', () => {
  expect(lockPath('pipelines/fox.yaml')).toBe('pipelines/fox.lock.yaml');
  expect(lockPath('fox.yml')).toBe('fox.lock.yaml');
});

/** A lock of our own section whose entries are these lines. */
const written = (...lines: readonly string[]): string =>
  `shotlist: 1\nservices:\n  studio:\n${lines.map(line => `    ${line}\n`).join('')}`;
const open = (text: string, service = 'studio') => LockFile.open(text, service, 'fox.lock.yaml', false);
const whole = LockFile.open(undefined, 'studio', 'fox.lock.yaml', false).with([shot]);

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
  expect(() => open(written(`shot: ${'['.repeat(50_000)}`))).toThrow('fox.lock.yaml is not readable YAML');
  expect(() => open(written(`shot: ${'[ '.repeat(60)}${'] '.repeat(60)}`))).toThrow('nested deeper than 40 levels');
  for (const key of ['constructor', 'toString', 'hasOwnProperty']) {
    const lock = open(LockFile.open(undefined, 'studio', '', false).with([{ ...shot, key: key as InstanceKey }]));
    expect([lock.fingerprintOf(key as InstanceKey), lock.fingerprintOf('valueOf' as InstanceKey)]).toEqual([
      'f1',
      undefined,
    ]);
  }
});

test('ten thousand keys, all alike or all different, are read in no time', () => {
  const before = performance.now();
  const many = Array.from({ length: 10_000 }, (_, n) => ({ ...shot, key: `shot[seed=${n}]` as InstanceKey }));
  const text = LockFile.open(undefined, 'studio', 'fox.lock.yaml', false).with(many);
  expect(open(text).fingerprintOf('shot[seed=9999]' as InstanceKey)).toBe('f1');
  // A second here; the library's own look for double keys alone takes four.
  expect(() => open(written(...Array.from({ length: 10_000 }, () => 'shot: {}')))).toThrow('for the second time');
  expect(performance.now() - before).toBeLessThan(6_000);
});

test('our own reader gives what the YAML library gives, for anything that we write', () => {
  const odd = [
    '',
    ' ',
    'a: b',
    'a #b',
    '- a',
    '1',
    '1e5',
    '007',
    '0x1f',
    'null',
    'yes',
    'true',
    '~',
    '9:16',
    '"',
    "it's",
    '\\',
    '#',
    '@',
    '[a]',
    '{a}',
    'a\nb',
    'a\n\n\nb\n',
    '\n',
    '\n a',
    ' a\nb',
    'a\n ',
    'a\tb',
    '\ta\nb',
    'a\rb',
    'a\u0085b',
    '\u2028',
    '\ud83e\udd8a',
    '\u001b[2J',
    '---',
    '...',
    '---\nx',
    'a:',
    ': a',
    '<<',
    '*a',
    '&a',
    '!a',
    '%a',
    'x'.repeat(2000),
    `${'word '.repeat(60)}\n${'word '.repeat(60)}`,
    '.5',
    '-',
    '-1',
    '-0',
    '1.',
    '+1',
    '.inf',
    'é',
    '日本',
  ];
  const numbers = [0, 1, -1, 0.5, 1e-7, 1e21, 123456789012, 0.1 + 0.2, 1e300];
  const values = [...odd, ...numbers, null, true, false, {}, [], [1, 'a'], { a: {} }, { a: [{ b: 1 }] }];
  const keys = odd.filter(name => name !== '__proto__');
  const entries = [
    ...values.map(value => ({ first: 'x', value, nested: { value, after: 1 }, after: 'y' })),
    ...keys.map(name => ({ [name]: { [name]: name } })),
  ];
  const text = `shotlist: 1\nservices:\n  studio:\n${entries.map((entry, n) => blockOf(`k${n}`, entry)).join('')}`;
  const lock = LockText.read(text, 'fox.lock.yaml');
  const read = [...lock.section('studio').values()].map(block => lock.value(block));
  expect(read).toEqual(entries);
  // Keys too: those of one line, quoted ones, and those too long for a line.
  const byName = Object.fromEntries(keys.map(name => [name, { fingerprint: 'f1' }]));
  const named = LockText.read(
    `shotlist: 1\nservices:\n  studio:\n${Object.entries(byName)
      .map(([name, entry]) => blockOf(name, entry))
      .join('')}`,
    'x',
  );
  const library = LockText.read(stringify({ services: { studio: byName }, shotlist: 1 }, { lineWidth: 0 }), 'x');
  for (const found of [named, library])
    expect([...found.section('studio')].map(([name, block]) => [name, found.value(block)])).toEqual(
      Object.entries(byName),
    );
});

test('blanks after a colon are no text, and an entry that is no map is refused', () => {
  const lock = LockText.read(written('shot:', '  fingerprint: ', '  cost:  '), 'fox.lock.yaml');
  expect([...lock.section('studio').values()].map(block => lock.value(block))).toEqual([
    { fingerprint: null, cost: null },
  ]);
  for (const value of ['', ' x', ' 3', ' []'])
    expect(() => open(written(`shot:${value}`))).toThrow('`shot` must be a map that begins with `fingerprint`');
});

test('a lock that was mutilated is read or refused with a sentence, and nothing else', () => {
  let seed = 8;
  const below = (end: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed % end;
  };
  const bits = [
    '\n',
    ' ',
    '  ',
    '-',
    '? ',
    ': ',
    '"',
    "'",
    '|',
    '#',
    '[',
    '{',
    '}',
    '&a ',
    '*a',
    '!!int ',
    '__proto__',
    '\t',
    '\r',
    '%',
    '---\n',
    '<<: ',
    '\ud800',
    '\0',
  ];
  const ends = { read: 0, refused: 0 };
  for (let n = 0; n < 1_500; n++) {
    let text = whole;
    for (let times = below(4); times >= 0; times--) {
      const at = below(text.length + 1);
      text = text.slice(0, at) + (below(2) ? bits[below(bits.length)] : '') + text.slice(at + below(6));
    }
    try {
      open(text).with([shot]);
      ends.read++;
    } catch (error) {
      expect(error).toBeInstanceOf(LockRefused);
      ends.refused++;
    }
  }
  expect(Math.min(ends.read, ends.refused)).toBeGreaterThan(100);
});

test('a lock that a formatter or Windows laid out anew says the same, and is left as it is while nothing is new', () => {
  const again = `%YAML 1.2\n---\n${whole.replaceAll('    ', '        ').replaceAll('  studio:', '    "studio":')}`;
  for (const text of [whole.replaceAll('\n', '\r\n'), `\ufeff${whole}`, again, whole.trimEnd()]) {
    expect(open(text).find('f1')).toMatchObject({ sha256: 'ab'.repeat(32), bytes: 1234, media: { width: 1280 } });
    expect(open(text).with([shot])).toBe(text);
  }
});

test('an entry that names a generation can be asked for at its service, one of a call cannot', () => {
  const call = {
    ...shot,
    key: 'call' as InstanceKey,
    done: { fingerprint: 'f2', result: { ...result, generation_id: null } },
  };
  const lock = open(LockFile.open(undefined, 'studio', 'fox.lock.yaml', false).with([shot, call]));
  expect(lock.atService('f1')?.generation_id).toBe('gen-1');
  expect(lock.atService('f2')).toBeUndefined();
});

test('money in it has no drift', () => {
  const text = LockFile.open(undefined, 'studio', 'fox.lock.yaml', false).with([
    { ...shot, done: { fingerprint: 'f1', result: { ...result, cost: 0.1 + 0.2 } } },
  ]);
  expect(text).toContain('cost: 0.3\n');
});
