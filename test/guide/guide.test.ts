/** What the guide says is so: its films have no mistake, its commands are taken, its links lead somewhere. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { commandIn } from '../../src/cli/command-line/commands.ts';
import { loadCommand } from '../../src/cli/load-command.ts';
import type { InstanceKey } from '../../src/domain/key.ts';
import { parseSelector, selects } from '../../src/domain/selector.ts';
import { resolveSettings } from '../../src/host/settings.ts';
import { plan } from '../../src/sdk/index.ts';
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

/** Each command reads its own options, and is told one more that no command has: that alone may be what it complains of. */
describe('a command of the guide is taken by the command itself', () => {
  const commands = pages.flatMap(({ path, commands }) =>
    commands.map(words => ({ path, line: words.join(' '), words })),
  );
  const inWorkflows = workflows.flatMap(({ path, file }) =>
    [...file.text.matchAll(/- npx shotlist (.*)$/gm)].map(([, line = '']) => {
      return { path, line, words: line.split(' ') };
    }),
  );
  test.each([...commands, ...inWorkflows])('$path: shotlist $line', async ({ words }) => {
    const { name, args } = commandIn(words)!;
    const { main } = await loadCommand(name);
    if (name === 'explain') return expect(await quietly(() => main(args))).toEqual({ exit: 0, said: '' });
    const { exit, said } = await quietly(() => main([...args, '--no-such-option']));
    expect(exit).toBe(2);
    expect(said.match(/--[\w-]+/)?.[0], said).toBe('--no-such-option');
  });
});

test('a command names a film of its page, of the folder, or one of the reader', () => {
  const ofFolder = pipelineFiles().map(({ name }) => `pipelines/${name}`);
  const unknown = pages.flatMap(page =>
    page.commands
      .flat()
      .filter(word => word.endsWith('.yaml') && !word.includes('*'))
      .filter(word => ![...ofFolder, ...page.files.map(({ name }) => name), 'film.yaml', 'spot.yaml'].includes(word))
      .map(word => `${page.path}: ${word}`),
  );
  expect(unknown).toEqual([]);
});

test('an instance that a command names is one of the film of its page', async () => {
  const folder = await temporaryFolder();
  const wrong: string[] = [];
  for (const page of pages)
    for (const file of page.files.filter(isFilm)) {
      const named = page.commands
        .filter(words => words.includes(file.name))
        .flat()
        .flatMap(word => /^(\w+\[[^\]]+\])/.exec(word)?.[1] ?? []);
      if (named.length === 0) continue;
      writeFileSync(join(folder, file.name), file.text);
      const planned = await plan({ file: file.name }, { folder });
      const keys = planned.is === 'planned' ? (planned.plan.instances as { key: string }[]).map(({ key }) => key) : [];
      for (const name of named) {
        const selector = parseSelector(name);
        if (!selector || !keys.some(key => selects(selector, key as InstanceKey))) wrong.push(`${page.path}: ${name}`);
      }
    }
  expect(wrong).toEqual([]);
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
