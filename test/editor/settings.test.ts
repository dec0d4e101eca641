/** What is seen in an editor of a settings file. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { YamlLanguageServer } from './language-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let editor: YamlLanguageServer;
beforeAll(async () => {
  editor = await YamlLanguageServer.start(join(ROOT, 'schema'));
});
afterAll(() => editor[Symbol.asyncDispose]());

const settings = (lines: string): string => `# yaml-language-server: $schema=settings.schema.json\n${lines}`;

test('a good file is not underlined, a slip is', async () => {
  const good = 'service: prod\nservices:\n  prod: { url: https://a.example, key_env: K }\nlimits: { in_flight: 8 }\n';
  expect(await editor.diagnostics(settings(good))).toEqual([]);
  expect(await editor.diagnostics(settings('servce: prod\nlimits: { in_flight: 0 }\nui: fancy\n'))).toEqual([
    '2:1 Property servce is not allowed.',
    '3:22 Value is below the minimum of 1.',
    '4:5 Value is not accepted. Valid values: "tui", "plain", "json", "quiet".',
  ]);
});

test('names and values are offered', async () => {
  const labels = async (lines: string) => (await editor.completions(settings(lines))).map(({ label }) => label);
  expect(await labels('‸')).toEqual(expect.arrayContaining(['service', 'services', 'limits', 'history', 'ui']));
  expect(await labels('on_interrupt: ‸')).toEqual(expect.arrayContaining(['detach', 'cancel']));
  expect(await labels('services:\n  prod:\n    ‸')).toEqual(expect.arrayContaining(['url', 'key_env', 'models']));
});

test('a setting is told under the pointer', async () => {
  expect(await editor.hover(settings('limits:\n  in_fl‸ight: 8\n'))).toContain(
    'Generations at the service at one time.',
  );
});
