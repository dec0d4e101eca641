/** The table of commands: what help, the parser, completions and messages are made of. */
import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answerHelp } from '../../src/cli/command-line/answer-help.ts';
import { COMMAND_NAMES, commandIn, GROUPS, helpOf, isGroup } from '../../src/cli/command-line/commands.ts';
import { FOREIGN_COMMANDS, FOREIGN_VALUES, foreignOption } from '../../src/cli/command-line/foreign-words.ts';
import { commandMistake, optionMistake } from '../../src/cli/command-line/mistakes.ts';
import { readArguments } from '../../src/cli/command-line/read-arguments.ts';

/** As a shell reads it: quotes, and nothing behind `>` or `|`. */
const wordsOf = (line: string): readonly string[] =>
  [...(line.split(/ [|<>] ?/)[0] ?? '').matchAll(/"([^"]*)"|'([^']*)'|((?:[^\s"']|"[^"]*")+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? (bare ?? '').replaceAll('"', ''),
  );

/** As `shotlist help …words` shows it. */
const page = (words = '', columns?: number): string =>
  answerHelp(['help', ...words.split(' ').filter(Boolean)], () => columns)?.text ?? '';

test('every command is one file and one row', () => {
  const files = globSync('**/*.ts', { cwd: new URL('../../src/cli/commands/', import.meta.url).pathname });
  const known = files.map(file => file.replace(/\.ts$/, '').replaceAll(/[\\/]/g, ' '));
  expect([...known, 'help'].sort()).toEqual([...COMMAND_NAMES].sort());
});

test('the groups hold every command once, and options are no more than a person can tell apart', () => {
  const grouped = Object.values(GROUPS).flatMap(({ commands }) => commands as readonly string[]);
  expect([...grouped, 'help'].sort()).toEqual([...COMMAND_NAMES].sort());
  expect(new Set(COMMAND_NAMES.flatMap(name => Object.keys(helpOf(name).options))).size).toBeLessThanOrEqual(62);
});

describe.each(COMMAND_NAMES)('shotlist help %s', name => {
  const { options, exits, usage, ...help } = helpOf(name);
  const examples = Object.keys(help.examples);

  test('its examples are read without a mistake', () => {
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const line of examples) {
      const [program, ...words] = wordsOf(line);
      const command = commandIn(words);
      expect([program, command?.name]).toEqual(['shotlist', name]);
      if (name !== 'tools lsp') expect(() => readArguments(name, command?.args ?? [])).not.toThrow();
    }
  });

  test('its page holds usage, examples, options, exit codes, and no line wider than it should be', () => {
    for (const columns of [40, 80, 200]) {
      const text = page(name, columns);
      expect(text.startsWith(`shotlist ${usage}\n`)).toBe(true);
      for (const option of Object.keys(options)) expect(text).toContain(`--${option}`);
      for (const code of exits) expect(text).toMatch(new RegExp(`^  ${code}( |$)`, 'm'));
      // What is to be typed is not broken.
      const isTyped = (line: string) =>
        examples.some(one => line.includes(one)) || /\S{30}/.test(line) || line.startsWith('shotlist ');
      expect(text.split('\n').filter(line => line.length > Math.min(100, columns) && !isTyped(line))).toEqual([]);
    }
  });

  test('it can answer as JSON', () => {
    // A language server speaks the protocol of editors.
    if (name !== 'tools lsp') expect(options).toHaveProperty('json');
    const { text = '' } = answerHelp(['help', ...name.split(' '), '--json']) ?? {};
    expect(JSON.parse(text)).toMatchObject({ version: 1, name });
    if (name !== 'help') expect(answerHelp([...name.split(' '), '--help'])?.text).toBe(page(name));
  });
});

test('help is asked for in every usual way', () => {
  expect(answerHelp(['--help'])).toMatchObject({ text: page(), exit: 0, to: 'stdout' });
  expect(answerHelp(['help'])).toMatchObject({ text: page(), exit: 0 });
  expect(answerHelp([])).toMatchObject({ text: page(), exit: 2, to: 'stderr' });
  expect(answerHelp(['team'])).toMatchObject({ text: page('team'), exit: 2, to: 'stderr' });
  expect(answerHelp(['help', 'keep'])).toMatchObject({ text: page('keep'), exit: 0, to: 'stdout' });
  expect(answerHelp(['team', 'submit', '-h'])?.text).toBe(page('team submit'));
  expect(answerHelp(['run', 'film.yaml', '-h'])?.text).toBe(page('run'));
  expect(answerHelp(['run', 'film.yaml'])).toBeUndefined();
  expect(answerHelp(['chat', 'C-D', '--', '--help'])).toBeUndefined();
  expect(answerHelp(['help', 'rnu'])).toMatchObject({
    text: 'shotlist: there is no command `rnu`; did you mean `run`?\n',
    exit: 2,
  });
  expect(JSON.parse(answerHelp(['help', '--json'])?.text ?? '').commands).toHaveLength(COMMAND_NAMES.length);
  expect(JSON.parse(answerHelp(['help', 'team', '--json'])?.text ?? '').commands).toHaveLength(
    GROUPS.team.commands.length,
  );
});

test('the front page is one screen at any width, and holds what a film is made with in a line each', () => {
  expect(page('', 80)).toMatchSnapshot();
  expect(page('', 40).split('\n').length).toBeLessThanOrEqual(48);
  for (const columns of [40, 60, 80, 120, 200])
    for (const words of ['', ...Object.keys(GROUPS)])
      for (const line of page(words, columns).split('\n'))
        expect(line.length <= Math.min(100, columns) || /^ {2}shotlist \S/.test(line), line).toBe(true);
  expect(page('', 80).split('\n').length).toBeLessThanOrEqual(24);
});

test.each([
  [
    'run',
    'dry-run',
    'there is no option --dry-run; `shotlist plan FILE` shows what would run and what it costs, and sends nothing',
  ],
  [
    'run',
    'parallel',
    'there is no option --parallel; how many run at once is `limits` in shotlist.config.yaml (`shotlist explain limits`), or `concurrency:` in the file',
  ],
  [
    'run',
    'j',
    'there is no option -j; how many run at once is `limits` in shotlist.config.yaml (`shotlist explain limits`), or `concurrency:` in the file',
  ],
  ['run', 'parm', 'there is no option --parm; did you mean --param?'],
  ['run', 'all', 'there is no option --all of `run`; --all is an option of `plan`, `report` and `team list`'],
  [
    'run',
    'forget',
    'there is no option --forget of `run`; --forget is an option of `cancel`, `generate` and `team restored`',
  ],
  ['plan', 'systme', 'there is no option --systme; did you mean --system of `chat`?'],
  ['models', 'frobnicate', 'there is no option --frobnicate; see shotlist help models'],
  [
    'clean',
    'dry-run',
    'there is no option --dry-run; `clean` removes nothing without --yes, and says what it would free',
  ],
  [
    'plan',
    'detailed-exitcode',
    'there is no option --detailed-exitcode; write `--exit-code`: 3 where something would be paid for',
  ],
] as const)('%s --%s', (command, option, message) => {
  expect(optionMistake(option, command)).toBe(message);
});

test('a mistaken command is told with what is wrong behind it', () => {
  expect(commandMistake(['rnu', 'film.yaml', '--parm', 'x', '--jobs=4'])).toBe(
    [
      'there is no command `rnu`; did you mean `run`?',
      'there is no option --parm; did you mean --param?',
      `there is no option --jobs; ${foreignOption('run', 'jobs')}`,
    ].join('\n'),
  );
  expect(commandMistake(['validate'])).toBe('there is no command `validate`; here it is `shotlist check`');
  expect(commandMistake(['film.yaml'])).toContain('`shotlist run film.yaml`');
  expect(commandMistake(['team', 'sumbit', 'film.yaml'])).toBe(
    'there is no command `team sumbit`; did you mean `team submit`?',
  );
  expect(commandMistake(['team', 'frobnicate'])).toBe('there is no command `team frobnicate`; see shotlist help team');
});

test.each([
  [['submit', 'film.yaml', '--on', 'house'], 'team submit'],
  [['cluster', 'limit', 'farm'], 'team limit'],
  [['cluster'], 'team'],
  [['repick', 'film.yaml', 'best'], 'pick --undo'],
  [['deactivate', 'me/fox'], 'models deactivate'],
  [['lsp'], 'tools lsp'],
])('a name of before ends with 2 and the new one: %j', (words, instead) => {
  expect(answerHelp(words)).toEqual({
    text: `shotlist: there is no command \`${words[0]}\`; here it is \`shotlist ${instead}\`\n`,
    to: 'stderr',
    exit: 2,
  });
});

test('all unknown options are told at once, and a value as other tools spell it', () => {
  expect(() => readArguments('run', ['f.yaml', '--parm=x', '--draft', '--serch', 'y'])).toThrow(/--parm;.*\n.*--serch/);
  expect(() => readArguments('run', ['f.yaml', '--ui', 'text'])).toThrow('did you mean plain?');
  expect(() => readArguments('run', ['f.yaml', '--on-interrupt=kill'])).toThrow('did you mean cancel?');
  expect(() => readArguments('run', ['f.yaml', '--param'])).toThrow('--param takes a value; write it as --param=VALUE');
});

test('what other tools say leads to something that is here', () => {
  for (const [foreign, ours] of Object.entries(FOREIGN_COMMANDS)) {
    const words = ours.split(' ');
    expect([ours, commandIn(words) !== undefined || isGroup(ours)]).toEqual([ours, true]);
    expect(commandIn(foreign.split(' '))).toBeUndefined();
  }
  for (const name of COMMAND_NAMES)
    for (const option of ['verbose', 'force', 'o', 'config', 'no-color', 'token', 'url']) {
      const said = foreignOption(name, option) ?? '';
      for (const [, flag = ''] of said.matchAll(/write `--([\w-]+)/g))
        expect([name, Object.keys(helpOf(name).options)]).toEqual([name, expect.arrayContaining([flag])]);
    }
  const allowed = COMMAND_NAMES.flatMap(name =>
    [...Object.values(helpOf(name).options), ...helpOf(name).operands].flatMap(one =>
      'oneOf' in one && one.oneOf ? one.oneOf : [],
    ),
  );
  for (const values of Object.values(FOREIGN_VALUES))
    for (const value of Object.values(values)) expect(allowed).toContain(value);
});
