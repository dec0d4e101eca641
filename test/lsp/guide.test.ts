/** The settings in the guide, as far as they can be held to something without the editors themselves. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Editor } from './editor.ts';

const GUIDE = readFileSync('pipelines/guide/editor.md', 'utf8');
const snippets = (language: string): readonly string[] =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text]) => text!);

const COMMAND = ['npx', '--no-install', 'shotlist', 'tools', 'lsp', '--stdio'];
/** The texts of a setting, in their order. */
const texts = (line: string): readonly string[] => [...line.matchAll(/["']([^"']*)["']/g)].map(([, text]) => text!);

test('VS Code: JSON that starts the server, and names a schema that is in the package', () => {
  const [server, schema] = snippets('json').map(text => JSON.parse(text));
  expect([server['glspc.server.command'], ...server['glspc.server.commandArguments']]).toEqual(COMMAND);
  const [path] = Object.keys(schema['yaml.schemas']);
  expect(() => readFileSync(path!.replace('./node_modules/shotlist/', ''))).not.toThrow();
});

test('Neovim: the same command', () => {
  expect(snippets('lua').map(lua => texts(/cmd = \{(.*)\}/.exec(lua)?.[1] ?? ''))).toEqual([COMMAND, COMMAND]);
});

test('Helix: the same command', () => {
  const [toml = ''] = snippets('toml');
  expect([
    ...texts(/^command = (.*)$/m.exec(toml)?.[1] ?? ''),
    ...texts(/^args = (.*)$/m.exec(toml)?.[1] ?? ''),
  ]).toEqual(COMMAND);
  expect(toml).toMatch(/^\[\[language\]\]\nname = "yaml"\nlanguage-servers = \["shotlist"/m);
});

test('the arguments that they give are taken, and the server ends with its editor', async () => {
  await using editor = await Editor.start();
  expect(await editor.mistakes('shotlist: 1\nname: film\nsteps: { a: { run: ls } }\n')).toEqual([]);
});
