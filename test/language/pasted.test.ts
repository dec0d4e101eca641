/** A value never becomes part of a text that something reads as a program. */
import { expect, test } from 'vitest';
import { told } from './said.ts';

const run = (run: string, more = '') =>
  told(`
      params:
        who: { type: string, default: a fox }
      steps:
        made:
          run: ${run}
          ${more}
    `);

const VALUE = '"echo ${{ params.who }}"';

test('a script with a value in it is refused, with the way that is safe', () => {
  expect(run(VALUE, 'shell: bash')).toMatch('expression under `env:`');
});

test.each([
  ['[sh, -c, VALUE]'],
  ['[/bin/bash, -ec, VALUE]'],
  ['[bash, --norc, -o, pipefail, -c, VALUE]'],
  ['[bash, -c, "${{ params.who }}", given]'],
  ['[env, WHO=fox, sh, -c, VALUE]'],
  ['[busybox, sh, -c, VALUE]'],
  ['[python3, -W, ignore, -c, VALUE]'],
  ['[python3.12, -c, VALUE]'],
  ['[perl, -ne, VALUE]'],
  ['[ruby, -e, VALUE]'],
  ['[node, --eval, VALUE]'],
  ['[node, -r, ./tools/x.js, -p, VALUE]'],
  ['[php, -r, VALUE]'],
  ['[cmd.exe, /c, VALUE]'],
  ['[pwsh, -Command, VALUE]'],
])('so is a list of arguments whose script it is: %s', list => {
  const text = run(list.replace('VALUE', VALUE));
  expect(text).toMatch('a script never gets values pasted in; put the expression under `env:`');
  expect(text).not.toContain('\n\n');
});

test.each([
  ['[sh, -c, "exit $0", "${{ params.who }}"]'],
  ['[bash, -e, "${{ params.who }}"]'],
  ['[python3, /opt/sheet.py, -c, VALUE]'],
  ['[node, /opt/sheet.js, -e, VALUE]'],
  ['[tools/sh-like, -c, VALUE]'],
  ['[ffmpeg, -c, "${{ params.who }}"]'],
  ['[grep, -e, "${{ params.who }}", sh]'],
  ['["${{ params.who }}", -c, done]'],
])('an argument that is data is none of it: %s', list => {
  expect(run(list.replace('VALUE', VALUE))).toBe('');
});
