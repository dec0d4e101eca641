/** What the guide says is so: its films have no mistake, its commands are taken, its links lead somewhere. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { commandIn } from '../../src/cli/command-line/commands.ts';
import { loadCommand } from '../../src/cli/main.ts';
import { plan } from '../../src/sdk/index.ts';
import { resolveSettings } from '../../src/settings/settings.ts';
import { guidePages, isFilm } from '../support/guide-pages.ts';
import { FOLDER, pipelineFiles } from '../support/pipelines.ts';
import { temporaryFolder } from '../support/temp.ts';

const pages = guidePages();
const files = pages.flatMap(page => page.files.map(file => ({ page, file, path: page.path, name: file.name })));

test('the guide has pages, films and commands', () => {
  expect(pages.length).toBeGreaterThan(9);
  expect(files.filter(({ file }) => isFilm(file)).length).toBeGreaterThan(25);
  expect(pages.flatMap(({ commands }) => commands).length).toBeGreaterThan(60);
});

describe('a film of the guide has no mistake, and a plan', () => {
  test.each(files.filter(({ file }) => isFilm(file)))('$path: $name', async ({ page, file }) => {
    const folder = await temporaryFolder();
    for (const { name, text } of page.files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const planned = await plan({ file: file.name }, { folder });
    expect(planned).toMatchObject({ is: 'planned', warnings: [] });
    expect(`${parse(file.text).name}.yaml`, 'a film is saved under its name').toBe(file.name);
  });
});

test('every block of YAML is a file that somebody can save', () => {
  const nameless = pages.flatMap(({ path, text }) => [...text.matchAll(/^ *```yaml$/gm)].map(() => path));
  expect(nameless).toEqual([]);
});

describe('settings of the guide are read without a complaint', () => {
  const settings = files.filter(({ name }) => name === 'shotlist.config.yaml');
  test.each(settings)('$path: $file.text', ({ file }) => {
    const read = resolveSettings({ flags: { service: 'studio' }, env: {}, projectText: file.text, userText: null });
    expect(read.problems).toEqual([]);
  });
});

const workflows = files.filter(({ name }) => name.endsWith('.yml'));
test.each(workflows)('$name of $path is YAML, and calls an action of ours with what that takes', ({ file }) => {
  const { jobs = {} } = parse(file.text) as { jobs?: Record<string, { steps: { uses?: string; with?: object }[] }> };
  for (const { uses, with: given } of Object.values(jobs).flatMap(({ steps }) => steps)) {
    if (!uses?.startsWith('./')) continue;
    const { inputs } = parse(readFileSync(join(FOLDER, '..', uses, 'action.yml'), 'utf8'));
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given ?? {})));
  }
});

/**
 * `test/e2e` follows the pages themselves. Each command reads its own options, and is told one more that no command has: that alone may be
 * what it complains of.
 */
describe('a command of a workflow in the guide is taken by the command itself', () => {
  const inWorkflows = workflows.flatMap(({ path, file }) =>
    [...file.text.matchAll(/- npx shotlist (.*)$/gm)].map(([, line = '']) => {
      return { path, line, words: line.split(' ') };
    }),
  );
  test.each(inWorkflows)('$path: shotlist $line', async ({ words }) => {
    const { name, args } = commandIn(words)!;
    const { main } = await loadCommand(name);
    const { exit, said } = await quietly(() => main([...args, '--no-such-option']));
    expect(exit).toBe(2);
    expect(said.match(/--[\w-]+/)?.[0], said).toBe('--no-such-option');
  });
});

describe('a link leads somewhere', () => {
  const anchors = new Map(pages.map(({ path, anchors }) => [path, anchors]));
  test.each(pages)('$path', page => {
    const broken = page.links.filter(link => {
      if (link.startsWith('https://')) return false;
      const [to = '', anchor] = link.split('#');
      const path = to === '' ? page.path : join(dirname(page.path), to);
      if (!existsSync(join(FOLDER, path))) return true;
      const known = anchors.get(path);
      return anchor !== undefined && known !== undefined && !known.includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

test('every page of the guide is in its table', () => {
  const [index] = pages;
  const missing = pages.slice(1).filter(({ path }) => !index?.links.includes(path));
  expect(missing.map(({ path }) => path)).toEqual([]);
});

test('every film of the folder is in the table', () => {
  const [index] = pages;
  expect(pipelineFiles().filter(({ name }) => !index?.links.includes(name))).toEqual([]);
});

async function quietly(command: () => Promise<number>): Promise<{ readonly exit: number; readonly said: string }> {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const exit = await command();
    return { exit, said: err.mock.calls.map(([text]) => String(text)).join('') };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}
