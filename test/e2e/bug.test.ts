/** A bug of ours, planted from outside: what its finder reads. */
import { expect, test } from 'vitest';
import { openStage } from './ended.ts';

const stage = openStage();
stage.write('fine.yaml', 'shotlist: 1\nname: fine\nsteps:\n  first: { run: [echo, done] }\n');

/** Runs `shotlist check` with this in place of opening its file. */
async function checkWith(instead: string) {
  stage.write(
    'planted.cjs',
    `const fs = require('node:fs');
const open = fs.openSync;
fs.openSync = (path, ...how) => {
  if (path === 'fine.yaml') { ${instead} }
  return open(path, ...how);
};
require('node:module').syncBuiltinESMExports();
`,
  );
  const key = 'sk-of-the-house';
  stage.env = { NODE_OPTIONS: `--require ${stage.at('planted.cjs')}`, SHOTLIST_API_KEY: key };
  const { exit, stdout, stderr } = await stage.runAsProcess('check', 'fine.yaml');
  expect(stdout + stderr).not.toContain(key);
  return { exit, lines: stage.shown(stderr).trimEnd().split('\n') };
}

test.each([
  ['where somebody waits for it', "throw new TypeError('x of ' + process.env.SHOTLIST_API_KEY + ' is \\x1b[2Jgone');"],
  [
    'where nobody does',
    "setImmediate(() => { throw new TypeError('x of ' + process.env.SHOTLIST_API_KEY + ' is \\x1b[2Jgone'); });",
  ],
])('%s, it is told as ours, with what to send and without a key', async (_, instead) => {
  const { exit, lines } = await checkWith(instead);
  expect(exit).toBe(1);
  expect(lines[0]).toMatch(/is a bug of shotlist, not of your film: TypeError: x of \$SHOTLIST_API_KEY is \[2Jgone$/);
  expect(lines[1]).toMatch(/^ {2}at .*planted\.cjs:\d+:\d+/);
  expect(lines.slice(-3)).toEqual([
    'what was paid for is written down: the same command goes on from there, once the bug is mended or does not show',
    'please report it: send these lines, the command you typed (`shotlist check …`) and the file it reads, without keys',
    expect.stringMatching(/^ {2}shotlist \S+, Node v\S+, \w+ \w+$/),
  ]);
});

test('what the machine refuses is no bug', async () => {
  const full =
    "throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write', errno: -28 });";
  expect(await checkWith(full)).toEqual({
    exit: 2,
    lines: [expect.stringMatching(/^shotlist: .*no space left on device/)],
  });
});
