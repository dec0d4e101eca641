/** Completions in the shells themselves: what is offered behind a command line, by scripts that ask this program nothing. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_NAMES, helpOf } from '../../src/cli/command-line/commands.ts';
import { bashCompletion } from '../../src/cli/completion/bash.ts';
import { fishCompletion } from '../../src/cli/completion/fish.ts';
import { powershellCompletion } from '../../src/cli/completion/powershell.ts';
import { zshCompletion } from '../../src/cli/completion/zsh.ts';
import { isMissing } from '../support/needs.ts';
import { PATIENCE } from '../support/patience.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'completion-'));
  writeFileSync(
    join(folder, 'film.yaml'),
    'shotlist: 1\nname: film\nsteps:\n  shot:\n    model: V-UP\n  best:\n    pick: x\noutputs:\n  film: { from: x }\n',
  );
  writeFileSync(join(folder, 'notes.txt'), '');
  mkdirSync(join(folder, 'media'));
  writeFileSync(join(folder, 'completion.bash'), bashCompletion());
  writeFileSync(join(folder, 'completion.fish'), fishCompletion());
  mkdirSync(join(folder, 'zsh'));
  writeFileSync(join(folder, 'zsh', '_shotlist'), zshCompletion());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where nothing can be asked of Node: the program is not on the path. */
const env = () => ({ PATH: '/usr/bin:/bin', HOME: folder, TERM: 'dumb' });
const sorted = (text: string): readonly string[] =>
  [
    ...new Set(
      text
        .split(/\r?\n/)
        .map(line => line.trim())
        .filter(line => line !== ''),
    ),
  ].sort();

function inBash(line: string): readonly string[] {
  const words = line.split(' ');
  // As bash cuts it: `=` is a word of its own.
  const cut = words.flatMap(word => word.split(/(=)/).filter(part => part !== ''));
  const all = line.endsWith(' ') ? [...cut, ''] : cut;
  const list = all.map(word => `'${word}'`).join(' ');
  const script = `source ./completion.bash; COMP_WORDS=(${list}); COMP_CWORD=${all.length - 1}; _shotlist; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return sorted(execFileSync('bash', ['--norc', '-c', script], { cwd: folder, env: env(), encoding: 'utf8' }));
}

const inFish = (line: string): readonly string[] =>
  sorted(
    execFileSync(
      'fish',
      ['--no-config', '-c', `source ./completion.fish; complete -C '${line.replaceAll("'", "\\'")}'`],
      { cwd: folder, env: env(), encoding: 'utf8' },
    ).replace(/\t.*$/gm, ''),
  );

/** Zsh completes at a terminal alone: its own module gives it one. */
function inZsh(line: string): readonly string[] {
  const script = [
    'zmodload zsh/zpty; zpty z zsh -f -i',
    `zpty -w z "PROMPT=; fpath=(${join(folder, 'zsh')} \\$fpath); autoload -U compinit; compinit -u -d ${join(folder, 'dump')}; cd ${folder}"`,
    `zpty -w z "compadd () { builtin compadd -A found -O kept \\"\\$@\\"; [[ -n \\\${found+1} ]] && print -r -- GOT \\"\\\${found[@]}\\"; builtin compadd \\"\\$@\\" }"`,
    'zpty -w z "zle -C complete-word complete-word _generic; zstyle \':completion:*\' completer _complete"',
    // What is waited for is never what was typed, which is shown as well.
    "zpty -w z \"finish () { zle complete-word; print -r -- DO''NE }; zle -N finish; bindkey '^I' finish; print -r -- READ''Y\"",
    "zpty -r z junk '*READY*'",
    `zpty -w -n z ${JSON.stringify(line)}$'\\t'`,
    "zpty -r z out '*DONE*'; print -rn -- $out; zpty -d z",
  ].join('\n');
  const said = execFileSync('zsh', ['-f', '-c', script], {
    cwd: folder,
    env: env(),
    encoding: 'utf8',
    // As long as a test may take: a call that blocks is ended by no timeout of the test.
    timeout: PATIENCE,
  });
  return sorted(
    said
      .split(/\r?\n/)
      .flatMap(one => (/GOT (.*)/.exec(one)?.[1] ?? '').split(' '))
      .join('\n'),
  );
}

const options = (name: 'run' | 'models') =>
  [...Object.keys(helpOf(name).options).map(option => `--${option}`), '--help'].sort();

const FIRST = [...new Set(COMMAND_NAMES.map(name => name.split(' ')[0] ?? ''))];

const CASES: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ['shotlist prom', ['promote']],
  ['shotlist team res', ['restored', 'resume']],
  ['shotlist team submit fil', ['film.yaml']],
  ['shotlist team worker --le', ['--leads']],
  ['shotlist models act', ['activate']],
  ['shotlist models activate V-U', ['V-UP']],
  ['shotlist models activate --no', ['--no-wait']],
  ['shotlist run --on-', ['--on-interrupt', '--on-unknown']],
  ['shotlist run film.yaml --ui ', ['json', 'plain', 'quiet', 'tui']],
  ['shotlist run film.yaml --only ', ['best', 'shot']],
  ['shotlist run film.yaml s', ['shot']],
  ['shotlist models V-U', ['V-UP']],
  ['shotlist tools completion ', ['bash', 'fish', 'powershell', 'zsh']],
  ['shotlist init --ratio 9', ['9:16']],
];

describe.skipIf(isMissing('bash'))('bash', () => {
  test.each(CASES)('%s', (line, expected) => expect(inBash(line)).toEqual(expected));
  test('commands, options, files', () => {
    expect(inBash('shotlist ')).toEqual([...FIRST, '--help', '--version'].sort());
    expect(inBash('shotlist run --')).toEqual(options('run'));
    expect(inBash('shotlist run ')).toEqual(expect.arrayContaining(['film.yaml', 'media']));
    expect(inBash('shotlist run ')).not.toContain('notes.txt');
    expect(inBash('shotlist run --param no')).toEqual(['notes.txt']);
    expect(inBash('shotlist run film.yaml --ui=p')).toEqual(['plain']);
    expect(inBash('shotlist init m')).toEqual(['media']);
    expect(inBash('shotlist run film.yaml --max-usd ')).toEqual([]);
  });
});

describe.skipIf(isMissing('fish'))('fish', () => {
  test.each(CASES)('%s', (line, expected) => expect(inFish(line)).toEqual(expected));
  test('commands, options, files', () => {
    expect(inFish('shotlist ')).toEqual([...FIRST].sort());
    expect(inFish('shotlist run --')).toEqual(options('run'));
    expect(inFish('shotlist run fi')).toEqual(['film.yaml']);
    expect(inFish('shotlist run --param no')).toEqual(['notes.txt']);
    expect(inFish('shotlist run film.yaml --ui=p')).toEqual(['--ui=plain']);
    expect(inFish('shotlist run film.yaml --max-usd ')).toEqual([]);
  });
});

describe.skipIf(isMissing('zsh'))('zsh', () => {
  test('its functions are whole', () => {
    const { status, stderr } = spawnSync('zsh', ['-f', '-n', join(folder, 'zsh', '_shotlist')], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
  test.each(CASES)('%s', (line, expected) => expect(inZsh(line)).toEqual(expect.arrayContaining([...expected])));
});

test('PowerShell: every command and option is in it, and no quote is left open', () => {
  const script = powershellCompletion();
  for (const name of COMMAND_NAMES)
    for (const option of Object.keys(helpOf(name).options)) expect(script).toContain(`'--${option}' = @('`);
  for (const line of script.split('\n')) expect([line, (line.match(/'/g)?.length ?? 0) % 2]).toEqual([line, 0]);
});
