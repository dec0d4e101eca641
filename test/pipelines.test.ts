/** The README's first command leaves a lock beside the pipeline; nothing here may take it for a pipeline then. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyPipelines, pipelineFiles } from './support/pipelines.ts';
import { temporaryFolder } from './support/temp.ts';

test('a lock is not among the pipelines, and does not travel with them', async () => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'fox.yaml'), 'name: fox\n');
  writeFileSync(join(folder, 'fox.lock.yaml'), 'shotlist: 1\n');
  mkdirSync(join(folder, 'project'));
  expect(pipelineFiles(folder)).toEqual([{ name: 'fox.yaml', text: 'name: fox\n' }]);
  copyPipelines(join(folder, 'project'), folder);
  expect(readdirSync(join(folder, 'project/pipelines'))).toEqual(['fox.yaml']);
});

test('the folder is listed and copied in one place', () => {
  const named = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path))
    .filter(path =>
      /['"`](\.{1,2}\/)+pipelines\/?['"`]|['"`]pipelines['"`]/.test(
        readFileSync(join(import.meta.dirname, path), 'utf8'),
      ),
    );
  expect(named.map(path => path.replaceAll('\\', '/')).sort()).toEqual([
    'editor/keys.test.ts',
    'editor/pipeline.test.ts',
    'support/pipelines.ts',
  ]);
});
