/** Neovim with what the guide says of it: its own client starts our server, shows its mistakes, and completes by it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { isMissing } from '../support/needs.ts';
import { Stage } from './stage.ts';

/** `0.7`; undefined where there is none. */
const version = ((): readonly [number, number] | undefined => {
  try {
    const [, major, minor] = /NVIM v(\d+)\.(\d+)/.exec(execFileSync('nvim', ['--version'], { encoding: 'utf8' })) ?? [];
    return [Number(major), Number(minor)];
  } catch {
    return undefined;
  }
})();

/** The guide has two: of 0.11 and newer, and of those before. */
function configuration([major, minor]: readonly [number, number]): string {
  const guide = readFileSync('pipelines/guide/editor.md', 'utf8');
  const [newer = '', older = ''] = [...guide.matchAll(/^```lua\n([\s\S]*?)^```/gm)].map(([, text]) => text);
  return major > 0 || minor >= 11 ? newer : older;
}

/** The cursor will stand behind `see`. */
const FILM = `shotlist: 1
name: film
steps:
  shot: { modle: V-T2V-A, with: { prompt: a fox } }
  still:
    model: I-GEN-A
    with:
      prompt: a hare
      see: 1
`;

/** What Neovim itself holds, a line of JSON each. */
const PROBE = `
local function tell(what) io.stdout:write(vim.fn.json_encode(what) .. '\\n') end
if not vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50) then tell({ error = 'no diagnostics' }) end
local found = {}
for _, one in ipairs(vim.diagnostic.get(0)) do table.insert(found, { line = one.lnum, message = one.message }) end
tell({ found = found })
vim.api.nvim_win_set_cursor(0, { 9, 9 })
local params = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 8, character = 9 } }
local answers = vim.lsp.buf_request_sync(0, 'textDocument/completion', params, 30000) or {}
local labels = {}
for _, answer in pairs(answers) do
  local items = answer.result and (answer.result.items or answer.result) or {}
  for _, item in ipairs(items) do table.insert(labels, item.label) end
end
tell({ labels = labels })
vim.cmd('qa!')
`;

test.skipIf(isMissing('nvim'))('Neovim shows our mistakes and completes our fields', async () => {
  const stage = new Stage();
  try {
    stage.write('film.yaml', FILM);
    stage.write('init.lua', configuration(version!));
    stage.write('probe.lua', PROBE);
    // As `npm install shotlist` leaves it.
    const [program, bundle] = stage.command([]);
    stage.write('node_modules/.bin/shotlist', `#!/bin/sh\nexec "${program}" "${resolve(bundle!)}" "$@"\n`);
    chmodSync(stage.at('node_modules/.bin/shotlist'), 0o755);
    const PATH = [dirname(process.execPath), process.env.PATH].join(':');
    const { stdout, stderr } = await execa(
      'nvim',
      ['--headless', '-n', '-i', 'NONE', '-u', 'init.lua', 'film.yaml', '-c', 'luafile probe.lua'],
      { cwd: stage.project, env: { ...stage.environment, PATH }, extendEnv: false, reject: false },
    );
    const told = Object.assign(
      {},
      ...stdout.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : [])),
    );
    expect(told, stderr).toMatchObject({
      found: expect.arrayContaining([{ line: 3, message: expect.stringContaining('did you mean `model`?') }]),
      labels: expect.arrayContaining(['seed']),
    });
  } finally {
    stage.dispose();
  }
});
