/** What is offered behind a command line, and the scripts that ask for it, in the shells themselves. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_NAMES, helpOf } from '../../src/cli/command-line/commands.ts';
import { complete } from '../../src/cli/completion/complete-command-line.ts';
import { completionScript } from '../../src/cli/completion/scripts.ts';
import { isMissing } from '../support/needs.ts';
import { PATIENCE } from '../support/patience.ts';

const FILM =
  'shotlist: 1\nname: film\nsteps:\n  shot:\n    model: V-UP\n  best:\n    pick: x\noutputs:\n  film: { from: x }\n';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'completion-'));
  writeFileSync(join(folder, 'film.yaml'), FILM);
  writeFileSync(join(folder, 'notes.txt'), '');
  mkdirSync(join(folder, 'media'));
  writeFileSync(join(folder, 'completion.bash'), completionScript('bash'));
  writeFileSync(join(folder, 'completion.fish'), completionScript('fish'));
  mkdirSync(join(folder, 'zsh'));
  writeFileSync(join(folder, 'zsh', '_shotlist'), completionScript('zsh'));
  mkdirSync(join(folder, 'bin'));
  const start = `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, '../../src/cli/entry.ts')}' "$@"\n`;
  writeFileSync(join(folder, 'bin', 'shotlist'), start, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder, TERM: 'dumb' });
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
  const script = `source ./completion.bash; COMP_WORDS=(${list}); COMP_CWORD=${all.length - 1}; _shotlist shotlist; printf '%s\\n' "\${COMPREPLY[@]}"`;
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

const options = (name: 'run') => [...Object.keys(helpOf(name).options).map(option => `--${option}`), '--help'];

const FIRST = [...new Set(COMMAND_NAMES.map(name => name.split(' ')[0] ?? ''))];

/** Offers without what they are about. */
const offered = (line: string): readonly string[] => {
  const [, ...words] = line.split(' ');
  const textOf = () => FILM;
  return complete([...words.slice(0, -1), `+${words.at(-1)}`], { labels: () => ['C-A', 'V-UP'], textOf }).map(
    offer => offer.split('\t')[0] ?? '',
  );
};

test.each([
  ['shotlist ', FIRST],
  ['shotlist --', ['--version', '--help']],
  ['shotlist prom', ['promote']],
  ['shotlist team res', ['resume', 'restored']],
  ['shotlist team submit fil', [':pipeline']],
  ['shotlist team worker --le', ['--leads']],
  ['shotlist models act', ['activate']],
  ['shotlist models V-U', ['V-UP']],
  ['shotlist models activate ', ['C-A', 'V-UP']],
  ['shotlist models activate --no', ['--no-wait']],
  ['shotlist help te', ['team']],
  ['shotlist run --', options('run')],
  ['shotlist run --on-', ['--on-unknown', '--on-interrupt']],
  ['shotlist run film.yaml --ui ', ['tui', 'plain', 'json', 'quiet']],
  ['shotlist run film.yaml --ui=p', ['--ui=plain']],
  ['shotlist run film.yaml --ui =', ['tui', 'plain', 'json', 'quiet']],
  ['shotlist run film.yaml --ui = p', ['plain']],
  ['shotlist run film.yaml --max-usd ', []],
  ['shotlist run --param no', [':file']],
  ['shotlist run --ui = plain --frozen ', [':pipeline']],
  ['shotlist run film.yaml --only ', ['shot', 'best']],
  ['shotlist run film.yaml shot b', ['best']],
  ['shotlist init m', [':folder']],
  ['shotlist init --ratio 9', ['9:16']],
  ['shotlist tools completion ', ['bash', 'zsh', 'fish', 'powershell']],
  ['shotlist nothing-such ', []],
])('%s', (line, expected) => expect(offered(line)).toEqual(expected));

/** What each shell makes of a word, of several, of two joined by `=`, of a step, a label, a folder and a file. */
const CASES: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ['shotlist team res', ['restored', 'resume']],
  ['shotlist team submit fil', ['film.yaml']],
  ['shotlist models activate V-U', ['V-UP']],
  ['shotlist run --on-', ['--on-interrupt', '--on-unknown']],
  ['shotlist run film.yaml s', ['shot']],
  ['shotlist run --param no', ['notes.txt']],
  ['shotlist init --ratio 9', ['9:16']],
];

describe.skipIf(isMissing('bash'))('bash', () => {
  test.each([
    ...CASES,
    ['shotlist run film.yaml --ui=p', ['plain']],
    ['shotlist run ', ['bin', 'film.yaml', 'media', 'zsh']],
    ['shotlist init m', ['media']],
  ] as const)('%s', (line, expected) => expect(inBash(line)).toEqual(expected));
});

describe.skipIf(isMissing('fish'))('fish', () => {
  test.each([
    ...CASES,
    ['shotlist run film.yaml --ui=p', ['--ui=plain']],
    ['shotlist run --param=no', ['--param=notes.txt']],
    ['shotlist run no', []],
    ['shotlist init m', ['media/']],
  ] as const)('%s', (line, expected) => expect(inFish(line)).toEqual(expected));
});

describe.skipIf(isMissing('zsh'))('zsh', () => {
  test.each([...CASES, ['shotlist run film.yaml --ui=p', ['--ui=plain']], ['shotlist init m', ['media']]] as const)(
    '%s',
    (line, expected) => expect(inZsh(line)).toEqual(expect.arrayContaining([...expected])),
  );
});
