import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { modelsTable, README, tableIn } from '../support/models-table.ts';

test('the guide’s table of models is fresh; `node test/support/models-table.ts` writes it', () => {
  expect(tableIn(readFileSync(README, 'utf8'))).toBe(modelsTable());
});

test('it has one row for each label', () => {
  const [, , ...rows] = modelsTable().split('\n');
  expect(rows.map(row => row.split('`')[1])).toStrictEqual([...modelLibrary.labels]);
});

test('a page without the markers is told so', () => {
  expect(() => tableIn('# Shotlist')).toThrow(
    'guide/models.md needs <!-- models --> and <!-- /models --> around its table of models',
  );
});
